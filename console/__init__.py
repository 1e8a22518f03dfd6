"""Everything that knows Streamlit and is not a page."""
