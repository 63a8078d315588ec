/* A device as code is made for it. */
#include "device/device.h"

const tsr_caps *tsr_device_caps(const tsr_device *dev)
{
    return &dev->caps;
}
