"""The tests' pictures are small: threads would wait for each other most of the time, the more so beside other work."""
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when torch is imported, also by the commands that tests start
