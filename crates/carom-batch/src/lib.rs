//! Many impacts as columns.
