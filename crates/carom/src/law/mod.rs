//! What a law is: its settings, its row in the catalogue.

pub(crate) mod settings;

pub use crate::accessible::{AccessiblePoint, accessible_set};
pub use crate::batch;
pub use crate::laws::single::*;
pub(crate) use settings::Reader;
pub use settings::{Setting, SettingValue, Settings, nearest};
