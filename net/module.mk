LIBS += -lcurl -ldeflate -lz -lbrotlidec -lzstd
