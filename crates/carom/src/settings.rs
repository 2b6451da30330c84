//! A law's settings as data: what a problem file says, before and after the law has read it.

use crate::ImpactError;
use crate::spelling::nearest;
use std::collections::BTreeMap;
use std::fmt;

/// One value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
    /// A switch.
    Switch(bool),
    /// Several values.
    List(Vec<SettingValue>),
    /// Named values, as in a nested law.
    Table(Settings),
}

/// As messages name it.
impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Text(word) => write!(f, "\"{word}\""),
            Self::Switch(x) => write!(f, "{x}"),
            Self::List(items) => write!(f, "a list of {}", items.len()),
            Self::Table(_) => write!(f, "a table"),
        }
    }
}

/// Settings by name. A nested law is a table with its `id` and its own settings.
pub type Settings = BTreeMap<String, SettingValue>;

/// One setting as the catalogue describes it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Setting {
    /// Its name in files.
    pub name: &'static str,
    /// Its default, or "required".
    pub default: String,
    /// Which values it takes.
    pub range: String,
    /// What it means, in a few words.
    pub meaning: &'static str,
}

/// A type that settings can have: how it is read, written and described.
pub(crate) trait SettingType: Copy {
    /// What limits its values: bounds of a number, nothing for a switch.
    type Range: Copy;

    fn read(
        reader: &Reader,
        name: &'static str,
        default: Self,
        range: Self::Range,
    ) -> Result<Self, ImpactError>;

    /// Its value as files write it; nothing if it is absent.
    fn written(self) -> Option<SettingValue>;

    /// The range in words.
    fn range(range: Self::Range) -> String;

    /// A default in words.
    fn described(self) -> String {
        match self.written() {
            Some(SettingValue::Number(f64::INFINITY)) => "\"inf\"".into(),
            Some(SettingValue::Number(x)) => short(x),
            Some(SettingValue::Text(word)) => format!("\"{word}\""),
            Some(SettingValue::Switch(on)) => on.to_string(),
            Some(SettingValue::List(_) | SettingValue::Table(_)) | None => "absent".into(),
        }
    }
}

/// A number as people write it: `1e-6` rather than `0.000001`.
fn short(x: f64) -> String {
    match x.abs() {
        0.0 => "0".into(),
        size if size > 1e-3 && size < 1e5 => x.to_string(),
        _ => format!("{x:e}"),
    }
}

/// Integers up to here are doubles.
pub(crate) const MAX_INTEGER: f64 = 9_007_199_254_740_992.0;

fn bounds([low, high]: [f64; 2]) -> String {
    match (low == f64::MIN_POSITIVE, high >= MAX_INTEGER) {
        (true, _) => "above 0".into(),
        (_, true) => format!("{} or more", short(low)),
        _ => format!("{} to {}", short(low), short(high)),
    }
}

/// Types that are numbers in files: how one is read, and how it is written.
macro_rules! number_settings {
    ($($type:ty: $read:expr, $written:expr;)*) => {$(
        impl SettingType for $type {
            type Range = [f64; 2];

            fn read(
                reader: &Reader,
                name: &'static str,
                default: Self,
                range: [f64; 2],
            ) -> Result<Self, ImpactError> {
                $read(reader, name, default, range)
            }

            fn written(self) -> Option<SettingValue> {
                $written(self).map(SettingValue::Number)
            }

            fn range(range: [f64; 2]) -> String {
                bounds(range)
            }
        }
    )*};
}

number_settings! {
    f64: Reader::number, Some;
    Option<f64>: optional_number, |number| number;
    u64: Reader::whole, |number| Some(number as f64);
    u32: |reader: &Reader, name, default: u32, range| {
        let number = reader.whole(name, default.into(), range)?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }, |number| Some(f64::from(number));
}

fn optional_number(
    reader: &Reader,
    name: &str,
    default: Option<f64>,
    range: [f64; 2],
) -> Result<Option<f64>, ImpactError> {
    match reader.get(name) {
        None => Ok(default),
        Some(_) => reader.number(name, 0.0, range).map(Some),
    }
}

impl SettingType for bool {
    type Range = ();

    fn read(
        reader: &Reader,
        name: &'static str,
        default: Self,
        _: (),
    ) -> Result<Self, ImpactError> {
        match reader.get(name) {
            None => Ok(default),
            Some(SettingValue::Switch(on)) => Ok(*on),
            Some(other) => Err(reader.refuse(name, format!("{other} must be true or false"))),
        }
    }

    fn written(self) -> Option<SettingValue> {
        Some(SettingValue::Switch(self))
    }

    fn range(_: ()) -> String {
        "true or false".into()
    }
}

/// Declares an enum whose values are words in files.
macro_rules! word_setting {
    (
        $(#[$about:meta])*
        pub enum $name:ident { $($(#[$meaning:meta])* $value:ident = $word:literal),* $(,)? }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$meaning])* $value),* }

        impl $name {
            /// Its word in files.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$value => $word),* }
            }
        }

        impl $crate::settings::SettingType for $name {
            type Range = ();

            fn read(
                reader: &$crate::settings::Reader,
                name: &'static str,
                default: Self,
                _: (),
            ) -> Result<Self, $crate::ImpactError> {
                reader.choice(name, default, &[$(($word, Self::$value)),*])
            }

            fn written(self) -> Option<$crate::settings::SettingValue> {
                Some($crate::settings::SettingValue::Text(self.word().into()))
            }

            fn range(_: ()) -> String {
                [$(concat!("\"", $word, "\"")),*].join(" or ")
            }
        }
    };
}
pub(crate) use word_setting;

/// Declares a law with settings: its struct with a method to change each, defaults, reading, writing and description.
///
/// A field is `name: type = default, "meaning", in range;`. The default may name a setting above it, and is followed by
/// `=> "words"` where it depends on the problem.
macro_rules! law_settings {
    (
        $(#[$about:meta])*
        pub struct $law:ident {
            $(
                $(#[$doc:meta])*
                $field:ident: $type:ty = $default:expr $(=> $absent:literal)?,
                $meaning:literal $(, in $range:expr)?;
            )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $law { $($(#[$doc])* pub $field: $type),* }

        impl Default for $law {
            fn default() -> Self {
                $(let $field: $type = $default;)*
                Self { $($field),* }
            }
        }

        impl $law {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $field(mut self, $field: $type) -> Self {
                    self.$field = $field;
                    self
                }
            )*

            /// The settings as the catalogue describes them.
            pub(crate) fn declared() -> Vec<$crate::settings::Setting> {
                #[allow(unused_imports, reason = "a law of switches has no ranges")]
                use $crate::settings::SettingType;
                let (_names, _default) = ([$(stringify!($field)),*], Self::default());
                vec![$($crate::settings::Setting {
                    name: stringify!($field),
                    default: $crate::settings::law_settings!(
                        @default _names, _default.$field, $default $(=> $absent)?
                    ),
                    range: <$type>::range($crate::settings::law_settings!(@range $($range)?)),
                    meaning: $meaning,
                }),*]
            }

            /// The law of this id with these settings; those not given keep their defaults.
            pub(crate) fn read(
                law: &'static str,
                settings: &$crate::settings::Settings,
            ) -> Result<Self, $crate::ImpactError> {
                use $crate::settings::SettingType;
                let reader = $crate::settings::Reader::new(law, &[$(stringify!($field)),*], settings)?;
                $(let $field = <$type>::read(
                    &reader,
                    stringify!($field),
                    $default,
                    $crate::settings::law_settings!(@range $($range)?),
                )?;)*
                Ok(Self { $($field),* })
            }

            /// Every setting that has a value, as files write it.
            pub(crate) fn written(&self) -> $crate::settings::Settings {
                use $crate::settings::SettingType;
                let fields = [$((stringify!($field), self.$field.written())),*];
                let present = fields.into_iter().filter_map(|(name, value)| Some((name.into(), value?)));
                present.collect()
            }
        }
    };
    (@range) => { () };
    (@range $range:expr) => { $range };
    (@default $names:expr, $value:expr, $default:expr) => {
        match $names.contains(&stringify!($default)) {
            true => format!("as {}", stringify!($default)),
            false => $value.described(),
        }
    };
    (@default $names:expr, $value:expr, $default:expr => $absent:literal) => { $absent.into() };
}
pub(crate) use law_settings;

/// Reads the settings of one law and refuses what it does not know.
pub(crate) struct Reader<'a> {
    law: &'static str,
    settings: &'a Settings,
}

impl<'a> Reader<'a> {
    /// A reader that has checked every name against those the law declares.
    pub(crate) fn new(
        law: &'static str,
        declared: &[&'static str],
        settings: &'a Settings,
    ) -> Result<Self, ImpactError> {
        let reader = Self { law, settings };
        for name in settings.keys().filter(|n| *n != "id") {
            if !declared.contains(&name.as_str()) {
                let near = nearest(name, declared.iter().copied());
                let reason = match (near, declared.is_empty()) {
                    (Some(near), _) => format!("unknown; did you mean `{near}`?"),
                    (None, true) => "unknown; this law has no settings".into(),
                    (None, false) => format!("unknown; this law has: {}", declared.join(", ")),
                };
                return Err(reader.refuse(name, reason));
            }
        }
        Ok(reader)
    }

    pub(crate) fn refuse(&self, setting: &str, reason: impl Into<String>) -> ImpactError {
        ImpactError::BadSetting {
            law: self.law.into(),
            setting: setting.into(),
            reason: reason.into(),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a SettingValue> {
        self.settings.get(name)
    }

    /// A number between `low` and `high`.
    pub(crate) fn number(
        &self,
        name: &str,
        default: f64,
        [low, high]: [f64; 2],
    ) -> Result<f64, ImpactError> {
        match self.get(name) {
            None => Ok(default),
            Some(SettingValue::Number(x)) if (low..=high).contains(x) => Ok(*x),
            Some(SettingValue::Number(x)) => {
                Err(self.refuse(name, format!("{x} must lie between {low} and {high}")))
            }
            Some(other) => Err(self.refuse(name, format!("{other} must be a number"))),
        }
    }

    /// A whole number between `low` and `high`.
    pub(crate) fn whole(
        &self,
        name: &str,
        default: u64,
        range: [f64; 2],
    ) -> Result<u64, ImpactError> {
        let number = self.number(name, default as f64, range)?;
        match libm::floor(number) == number {
            true => Ok(number as u64),
            false => Err(self.refuse(name, format!("{number} must be a whole number"))),
        }
    }

    /// One of several words.
    pub(crate) fn choice<T: Copy>(
        &self,
        name: &str,
        default: T,
        choices: &[(&str, T)],
    ) -> Result<T, ImpactError> {
        let words =
            || choices.iter().map(|(w, _)| format!("\"{w}\"")).collect::<Vec<_>>().join(" or ");
        match self.get(name) {
            None => Ok(default),
            Some(SettingValue::Text(word)) => choices
                .iter()
                .find(|(w, _)| w == word)
                .map(|(_, value)| *value)
                .ok_or_else(|| self.refuse(name, format!("\"{word}\" must be {}", words()))),
            Some(other) => Err(self.refuse(name, format!("{other} must be {}", words()))),
        }
    }

    /// A list of finite numbers; absent, `None`.
    pub(crate) fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, ImpactError> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let SettingValue::List(items) = value else {
            return Err(self.refuse(name, format!("{value} must be a list of numbers")));
        };
        items
            .iter()
            .enumerate()
            .map(|(i, item)| match item {
                SettingValue::Number(x) if x.is_finite() => Ok(*x),
                _ => Err(self.refuse(name, format!("entry {i}, {item}, must be a finite number"))),
            })
            .collect::<Result<Vec<_>, _>>()
            .map(Some)
    }
}
