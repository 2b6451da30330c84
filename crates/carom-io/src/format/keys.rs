//! Every key of the problem format, once. The readers check files against these tables and `carom schema` prints
//! them, so that the two cannot disagree. A row of `MATERIAL_KEYS` or `CONTACT_KEYS` also says how its value is read:
//! nothing else has to know of a number that contacts have.

use super::contact::{read_impulse_ratio, read_restitution};
use super::cursor::Cursor;
use carom::{ContactKind, ContactSpec, ImpactError, Material};

/// One key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name in files.
    pub name: &'static str,
    /// What stands under it.
    pub shape: Shape,
    /// Whether it must be there.
    pub required: bool,
    /// What it means, with its unit.
    pub meaning: &'static str,
    /// How a contact takes it; absent where a reader takes it by name.
    pub(super) reader: Option<Reader>,
}

/// How a contact takes what stands under a key. Ranges are the library's to check.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reader {
    /// Into its material.
    Material(fn(&Cursor, &mut Material) -> Result<(), ImpactError>),
    /// Into the contact itself.
    Contact(fn(&Cursor, &mut ContactSpec) -> Result<(), ImpactError>),
}

/// What may stand under a key.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A finite number.
    Number,
    /// A number of at least zero, or `"inf"`.
    NumberOrInfinity,
    /// A whole number from one to three.
    Rows,
    /// A switch.
    Switch,
    /// A text.
    Text,
    /// One of several words.
    Choice(&'static [&'static str]),
    /// A list of numbers.
    Numbers,
    /// A number, or a list of numbers.
    NumberOrNumbers,
    /// A whole number.
    Count,
    /// A list of whole numbers.
    Counts,
    /// The lowest and the highest number, `"-inf"` and `"inf"` where there is none.
    Limits,
    /// A list of rows.
    Matrix,
    /// A list of rows, or its diagonal as a list of numbers.
    MatrixOrDiagonal,
    /// A list of rows, or a table of triplets.
    MatrixOrTriplets,
    /// A number, three principal moments, or a list of rows.
    Inertia,
    /// A number, or a table with the restitution curve.
    Restitution,
    /// A list of numbers, or a table that generates them.
    ChainVelocity,
    /// A law's id, or a table with it and the law's settings.
    Law,
    /// One table.
    Table(&'static KeyTable),
    /// A list of tables.
    Tables(&'static KeyTable),
    /// A list of tables, each of the kind that its text under `type` names.
    Kinds(&'static [(&'static str, &'static KeyTable)]),
    /// One of several words, or a table.
    ChoiceOrTable(&'static [&'static str], &'static KeyTable),
}

/// The keys of one kind of table.
#[derive(Debug)]
pub struct KeyTable {
    /// What the table describes, as in "a contact".
    pub what: &'static str,
    groups: &'static [&'static [Key]],
}

impl KeyTable {
    /// A table of these groups of keys.
    pub const fn new(what: &'static str, groups: &'static [&'static [Key]]) -> Self {
        Self { what, groups }
    }

    /// The keys, in the order in which the schema lists them.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> {
        self.groups.iter().copied().flatten()
    }
}

/// A key that must be there.
pub const fn required(name: &'static str, shape: Shape, meaning: &'static str) -> Key {
    Key { name, shape, required: true, meaning, reader: None }
}

/// A key that may be there.
pub const fn optional(name: &'static str, shape: Shape, meaning: &'static str) -> Key {
    Key { required: false, ..required(name, shape, meaning) }
}

impl Key {
    /// The same key, taken by the contact's material.
    const fn material(self, read: fn(&Cursor, &mut Material) -> Result<(), ImpactError>) -> Self {
        Self { reader: Some(Reader::Material(read)), ..self }
    }

    /// The same key, taken by the contact.
    const fn contact(self, read: fn(&Cursor, &mut ContactSpec) -> Result<(), ImpactError>) -> Self {
        Self { reader: Some(Reader::Contact(read)), ..self }
    }
}

/// Defines the keys by name and the group of them all.
#[macro_export]
macro_rules! keys {
    ($(#[$about:meta])* $group:ident: $($constant:ident = $key:expr;)*) => {
        $(#[doc = "See the key's own `meaning`."] pub const $constant: $crate::format::keys::Key = $key;)*
        $(#[$about])*
        const $group: &[$crate::format::keys::Key] = &[$($constant),*];
    };
}

keys! {
    /// Keys that every problem may have.
    COMMON:
    TITLE = optional("title", Shape::Text, "one line that names the problem");
    DESCRIPTION = optional("description", Shape::Text, "what the problem shows and where it comes from");
    LAW = optional("law", Shape::Law, "the law used where none is asked for");
    SEPARATING = optional("separating", Shape::Choice(&["observe", "refuse"]),
        "what to do with contacts that separate already: watch them (default) or refuse the problem");
    PROXIMITY = optional("proximity", Shape::NumberOrInfinity,
        "contacts with a larger gap take no part, under any law; default 1e-3 [m]");
    COMPLIANT = optional("compliant", Shape::Table(&COMPLIANT_TABLE),
        "springs, dampers and friction in place of restitution, for `carom compliant`");
}

keys! {
    COMPLIANT_KEYS:
    MODULUS = optional("modulus", Shape::Number,
        "effective plane strain modulus E of spheres after Hertz, K = 4/3 √R E, default 1e10 [Pa]");
    SPRING_STIFFNESS = optional("stiffness", Shape::Number,
        "K of F = K δ^exponent in place of a modulus [N/m, with exponent 1.5 N/m^1.5]");
    EXPONENT = optional("exponent", Shape::Number,
        "1 (linear) or 1.5 (Hertz); default 1.5 with a modulus, 1 with a stiffness [1]");
    RADIUS = optional("radius", Shape::Number, "of the spheres at the contacts, default 0.1 [m]");
    DISSIPATION = optional("dissipation", Shape::Number, "Hunt and Crossley's c, default 0 [s/m]");
    TRANSITION_SPEED = optional("transition_speed", Shape::Number,
        "below it friction is smoothed; default 1e-6 of the fastest contact [m/s]");
    STATIC_RATIO = optional("static_ratio", Shape::Number, "static friction relative to mu, default 1 [1]");
    VISCOUS = optional("viscous", Shape::Number, "viscous friction, default 0 [s/m]");
    GRAVITY = optional("gravity", Shape::Numbers,
        "as many numbers as positions have, default 0; only bodies have weight [m/s²]");
}

keys! {
    CONTACT_SPACE_KEYS:
    DELASSUS = required("delassus", Shape::Matrix,
        "W, R × R, contact by contact, normal first, symmetric and positive semidefinite [1/kg]");
    CONTACT_VELOCITY = required("contact_velocity", Shape::Numbers,
        "u⁻, R numbers, contact by contact, normal first, negative normals approach [m/s]");
}

keys! {
    CONTACTS_KEY:
    CONTACTS = required("contacts", Shape::Tables(&CONTACT), "the contacts, in the order of the rows");
}

keys! {
    GENERALIZED_KEYS:
    MASS = required("mass", Shape::MatrixOrDiagonal, "the mass matrix, f × f, or its f diagonal entries [kg]");
    JACOBIAN = required("jacobian", Shape::MatrixOrTriplets,
        "R × f, from generalized to contact velocities, contact by contact, normal first [1]");
    VELOCITY = required("velocity", Shape::Numbers, "f generalized velocities before the impact [m/s]");
    BILATERAL = optional("bilateral", Shape::Matrix, "rows of length f that hold at all times, as joints do [1]");
    BILATERAL_GROUPS = optional("bilateral_groups", Shape::Counts, "how many rows each joint owns, in order");
    DRIVE = optional("drive", Shape::Numbers, "R prescribed contact velocities (moving wall, conveyor), default 0 [m/s]");
}

keys! {
    BODIES_KEYS:
    BODIES = required("bodies", Shape::Tables(&BODY), "the bodies");
    JOINTS = optional("joints", Shape::Tables(&JOINT), "what holds bodies together through the impact");
    BODY_CONTACTS = required("contacts", Shape::Tables(&BODY_CONTACT), "where bodies touch");
}

keys! {
    CHAIN_KEYS:
    CHAIN = required("chain", Shape::Table(&CHAIN_TABLE), "masses on a line, each touching the next");
}

/// How many rows a contact owns: read first, because others may share what is left.
pub const ROWS: Key = optional(
    "rows",
    Shape::Rows,
    "how many rows the contact owns; by default all contacts own equally many",
);

/// What the surfaces of a contact, or of two bodies that may touch, are like.
pub static MATERIAL_KEYS: &[Key] = &[
    optional("mu", Shape::NumberOrInfinity, "Coulomb's coefficient of friction, default 0 [1]")
        .material(|mu, material| mu.number_or_infinity().map(|x| material.mu = x)),
    required("e", Shape::Restitution, "restitution, what it multiplies depends on the law [1]")
        .material(|e, material| read_restitution(e).map(|e| material.restitution = e)),
    optional("e_t", Shape::Number, "tangential restitution, −1 to 1, default 0 [1]")
        .material(|e_t, material| e_t.number().map(|x| material.e_t = x)),
    optional("stiffness", Shape::Number, "relative to the other contacts, default 1 [1]")
        .material(|stiffness, material| stiffness.number().map(|x| material.stiffness = x)),
    optional("coupling", Shape::Number, "Mosterman's η, 0 to 1, default 1 − e [1]")
        .material(|coupling, material| coupling.number().map(|x| material.coupling = Some(x))),
    optional("impulse_ratio", Shape::NumberOrNumbers, "Brach's signed ratios p_t/p_n [1]")
        .material(|ratio, material| {
            read_impulse_ratio(ratio).map(|r| material.impulse_ratio = Some(r))
        }),
];

/// Keys that every contact may have besides.
static CONTACT_KEYS: &[Key] = &[
    ROWS,
    optional(
        "kind",
        Shape::Choice(&["unilateral", "bilateral"]),
        "whether it only pushes (default) or holds",
    )
    .contact(|kind, contact| {
        let kinds =
            [("unilateral", ContactKind::Unilateral), ("bilateral", ContactKind::Bilateral)];
        kind.choice(&kinds).map(|kind| contact.kind = kind)
    }),
    optional(
        "gap",
        Shape::Number,
        "distance of the surfaces, negative where they overlap, default 0 [m]",
    )
    .contact(|gap, contact| gap.number().map(|x| contact.gap = x)),
];

/// The keys of contacts in the order in which they are read: those of the material first.
pub(super) fn of_contacts() -> impl Iterator<Item = &'static Key> {
    MATERIAL_KEYS.iter().chain(CONTACT_KEYS)
}

/// The numbers that every contact has.
pub fn numbers_of_contacts() -> impl Iterator<Item = &'static str> {
    let number =
        |shape| matches!(shape, Shape::Number | Shape::NumberOrInfinity | Shape::Restitution);
    of_contacts().filter(move |key| number(key.shape)).map(|key| key.name)
}

keys! {
    PLACE_KEYS:
    CONTACT_A = required("a", Shape::Text, "the body that the normal points away from");
    CONTACT_B = required("b", Shape::Text, "the body that the normal points into; the impulse acts on it");
    POINT = required("point", Shape::Numbers, "where they touch, world frame [m]");
    NORMAL = required("normal", Shape::Numbers, "from a to b, world frame; its length does not matter [1]");
    TANGENT = optional("tangent", Shape::Numbers, "the first tangent; by default chosen from the world axes [1]");
}

keys! {
    CURVE_KEYS:
    MINIMUM = required("minimum", Shape::Number, "e at and above the plastic speed [1]");
    CAPTURE_SPEED = required("capture_speed", Shape::Number, "slower approaches do not rebound [m/s]");
    PLASTIC_SPEED = required("plastic_speed", Shape::Number, "faster approaches rebound with the minimum [m/s]");
}

keys! {
    TRIPLET_KEYS:
    TRIPLET_ROWS = required("rows", Shape::Counts, "row of each entry, from 0");
    TRIPLET_COLS = required("cols", Shape::Counts, "column of each entry, from 0");
    TRIPLET_VALUES = required("values", Shape::Numbers, "the entries; several at one place add up");
}

keys! {
    BODY_KEYS:
    NAME = required("name", Shape::Text, "how contacts and joints call the body");
    FIXED = optional("fixed", Shape::Switch, "true: an obstacle, at rest or moving as its velocities say");
    BODY_MASS = optional("mass", Shape::Number, "required unless fixed [kg]");
    INERTIA = optional("inertia", Shape::Inertia,
        "about the centre of mass, body frame: 3 moments or 3 × 3; in the plane a number; absent, a point mass [kg·m²]");
    POSITION = optional("position", Shape::Numbers, "the centre of mass, 2 or 3 numbers, required unless fixed [m]");
    ORIENTATION = optional("orientation", Shape::NumberOrNumbers,
        "quaternion [w, x, y, z], or an angle in the plane [rad]; default identity");
    BODY_VELOCITY = optional("velocity", Shape::Numbers, "of the centre of mass, default 0 [m/s]");
    ANGULAR_VELOCITY = optional("angular_velocity", Shape::NumberOrNumbers,
        "3 numbers, world frame; in the plane one; default 0 [rad/s]");
}

keys! {
    JOINT_KEYS:
    JOINT_TYPE = required("type", Shape::Choice(&["ball", "hinge", "slider", "weld"]), "what the joint leaves free");
    JOINT_A = required("a", Shape::Text, "one body");
    JOINT_B = required("b", Shape::Text, "the other body");
    JOINT_POINT = required("point", Shape::Numbers, "where it sits, world frame [m]");
    AXIS = optional("axis", Shape::Numbers, "of a hinge or slider, world frame; in the plane a hinge needs none [1]");
}

keys! {
    CHAIN_TABLE_KEYS:
    CHAIN_COUNT = optional("count", Shape::Count,
        "how many masses; needed only where neither `mass` nor `velocity` is a list");
    CHAIN_MASS = required("mass", Shape::NumberOrNumbers, "the masses, from left to right, or one for all [kg]");
    CHAIN_VELOCITY = required("velocity", Shape::ChainVelocity,
        "their velocities, positive to the right; or those of the first, the last and the others [m/s]");
    CHAIN_E = required("e", Shape::NumberOrNumbers, "restitution of neighbours: one number, or one per pair [1]");
}

keys! {
    CHAIN_VELOCITY_KEYS:
    FIRST = optional("first", Shape::Number, "of the first mass, default `others` [m/s]");
    OTHERS = optional("others", Shape::Number, "of all masses not named, default 0 [m/s]");
    LAST = optional("last", Shape::Number, "of the last mass, default `others` [m/s]");
}

/// A problem in contact space.
pub static CONTACT_SPACE: KeyTable = KeyTable {
    what: "a contact-space problem",
    groups: &[CONTACT_SPACE_KEYS, CONTACTS_KEY, COMMON],
};
/// A problem in generalized coordinates.
pub static GENERALIZED: KeyTable =
    KeyTable { what: "a generalized problem", groups: &[GENERALIZED_KEYS, CONTACTS_KEY, COMMON] };
/// A problem of rigid bodies.
pub static BODIES_PROBLEM: KeyTable =
    KeyTable { what: "a bodies problem", groups: &[BODIES_KEYS, COMMON] };
/// A chain of masses.
pub static CHAIN_PROBLEM: KeyTable =
    KeyTable { what: "a chain problem", groups: &[CHAIN_KEYS, COMMON] };
/// The four forms a problem may take.
pub static FORMS: [&KeyTable; 4] = [&CONTACT_SPACE, &GENERALIZED, &BODIES_PROBLEM, &CHAIN_PROBLEM];
/// A contact whose rows stand in a matrix.
pub static CONTACT: KeyTable =
    KeyTable { what: "a contact", groups: &[MATERIAL_KEYS, CONTACT_KEYS] };
/// A contact between bodies.
pub static BODY_CONTACT: KeyTable = KeyTable {
    what: "a contact between bodies",
    groups: &[PLACE_KEYS, MATERIAL_KEYS, CONTACT_KEYS],
};
/// Restitution that depends on the approach speed.
pub static CURVE: KeyTable = KeyTable { what: "a restitution curve", groups: &[CURVE_KEYS] };
/// A matrix by its entries.
pub static TRIPLETS: KeyTable = KeyTable { what: "a matrix of triplets", groups: &[TRIPLET_KEYS] };
/// A rigid body.
pub static BODY: KeyTable = KeyTable { what: "a body", groups: &[BODY_KEYS] };
/// A joint.
pub static JOINT: KeyTable = KeyTable { what: "a joint", groups: &[JOINT_KEYS] };
/// The table under `chain`.
pub static CHAIN_TABLE: KeyTable = KeyTable { what: "a chain", groups: &[CHAIN_TABLE_KEYS] };
/// Velocities of a chain, generated.
pub static CHAIN_VELOCITIES: KeyTable =
    KeyTable { what: "the velocities of a chain", groups: &[CHAIN_VELOCITY_KEYS] };
/// The table under `compliant`.
pub static COMPLIANT_TABLE: KeyTable =
    KeyTable { what: "compliant contacts", groups: &[COMPLIANT_KEYS] };
