"""How `schemas/openlineage/` comes about: core, newest facets, older versions, registered facets."""
