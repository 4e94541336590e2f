"""How stickerd's subject network is made: data, network, training, export and measures."""
