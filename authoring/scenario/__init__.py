"""What several stages share: lifting, domains, inputs, mutants and rewrites."""
