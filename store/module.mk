LIBS += -llmdb
