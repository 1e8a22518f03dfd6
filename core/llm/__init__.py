"""Language-model, embedding and rule adapters behind the ports."""
