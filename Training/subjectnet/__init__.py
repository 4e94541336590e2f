"""Stickerd's subject network: data, network, training, export and measures."""
