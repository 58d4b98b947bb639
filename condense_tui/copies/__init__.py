"""A condensed copy, from what a person asks for to the file: for every front end."""
