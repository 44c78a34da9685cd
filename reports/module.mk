LIBS += -ljansson
LIBS += -lm
