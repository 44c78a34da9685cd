LIBS += -ljansson
