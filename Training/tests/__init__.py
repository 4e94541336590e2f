"""Uses one thread: with the tests' small pictures, threads would mostly wait for each other."""
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when torch is imported, also by the commands that tests start
