"""HTTP: routes and the shapes they answer with."""
