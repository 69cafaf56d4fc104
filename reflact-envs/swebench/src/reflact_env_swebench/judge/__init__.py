"""Whether a patch resolves an issue: by the official evaluation, or by running the tests here."""
