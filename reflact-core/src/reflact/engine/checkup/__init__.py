"""Look at the models of a configuration before a run: are they built, do they find themselves well, do they answer."""
