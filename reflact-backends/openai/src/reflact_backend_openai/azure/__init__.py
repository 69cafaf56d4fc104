"""What needs azure-identity, of the extra `[azure]`."""
