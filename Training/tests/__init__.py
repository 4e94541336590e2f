"""The tests' pictures are small: threads would mostly wait for each other, even more so on a busy machine."""
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when torch is imported, also by the commands that tests start
