//! error line 2 E0406
const a = workgroupBarrier();
