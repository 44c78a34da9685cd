LIBS += -lutf8proc -lcrypto
