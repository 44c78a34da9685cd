LIBS += -llmdb -ldeflate
