"""What touches the machine: files, locks, git, package releases, the journal, settings and the clock."""
