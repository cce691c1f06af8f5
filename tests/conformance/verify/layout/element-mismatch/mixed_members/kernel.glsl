// The kernel. Nobody reads it here.
