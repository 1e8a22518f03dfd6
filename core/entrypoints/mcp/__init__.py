"""The MCP interface: the same desk as over HTTP, as tools and resources of the Model Context Protocol.

`Door` serves it at an address, `stdio` to a client that starts it as a child process.
"""
