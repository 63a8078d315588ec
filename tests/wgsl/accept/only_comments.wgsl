// nothing here
/* nor /* here */ */;
;
