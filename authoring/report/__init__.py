"""What is where and how things stand: reports that read and change nothing."""
