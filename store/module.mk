LIBS += -llmdb -ldeflate -lzstd
