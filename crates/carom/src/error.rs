//! What can go wrong, said so that the reader can mend it.

use thiserror::Error;

/// Why there is no outcome. An outcome that gains energy is not an error: the certificate shows it.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ImpactError {
    /// A number of the problem is not acceptable.
    #[error("{field} = {value}: {reason}")]
    BadProblem {
        /// Where it stands, as in the problem file: `delassus[0][1]`, `contacts[2].mu`.
        field: String,
        /// The offending value, as text.
        value: String,
        /// What is wrong with it and what would be right.
        reason: String,
    },
    /// No law has this id.
    #[error("there is no law `{id}`{}", suggest(.suggestion))]
    UnknownLaw {
        /// The id that was asked for.
        id: String,
        /// The nearest id that exists.
        suggestion: Option<String>,
    },
    /// A law's setting is unknown or out of range.
    #[error("law `{law}`, setting `{setting}`: {reason}")]
    BadSetting {
        /// The law's id.
        law: String,
        /// The setting's name.
        setting: String,
        /// What is wrong with it and what would be right.
        reason: String,
    },
    /// The law is not defined for problems of this class.
    #[error("law `{law}` does not apply: {reason}")]
    NotApplicable {
        /// The law's id.
        law: &'static str,
        /// The condition that failed.
        reason: String,
    },
    /// The law is defined here, but its equations have no solution.
    #[error("law `{law}` has no solution: {reason}")]
    NoSolution {
        /// The law's id.
        law: &'static str,
        /// The condition that failed.
        reason: String,
    },
    /// An iteration ended without reaching its tolerance. The unconverged value is never returned.
    #[error("law `{law}` did not converge: residual {residual:e} after {iterations} iterations")]
    NotConverged {
        /// The law's id.
        law: &'static str,
        /// The last residual, relative to the problem's own scale \[1\].
        residual: f64,
        /// How many iterations were made \[1\].
        iterations: u32,
    },
    /// A size or number limit was reached.
    #[error("limit reached: {0}")]
    Limit(String),
}

impl ImpactError {
    /// No law has this id; the nearest of those that exist is suggested.
    pub(crate) fn unknown_law<'a>(id: &str, ids: impl IntoIterator<Item = &'a str>) -> Self {
        let suggestion = crate::spelling::nearest(id, ids).map(Into::into);
        Self::UnknownLaw { id: id.into(), suggestion }
    }

    /// The error's class, as written in answers: `bad_problem`, `unknown_law`, `bad_setting`, `not_applicable`,
    /// `no_solution`, `not_converged` or `limit`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::BadProblem { .. } => "bad_problem",
            Self::UnknownLaw { .. } => "unknown_law",
            Self::BadSetting { .. } => "bad_setting",
            Self::NotApplicable { .. } => "not_applicable",
            Self::NoSolution { .. } => "no_solution",
            Self::NotConverged { .. } => "not_converged",
            Self::Limit(_) => "limit",
        }
    }

    /// A [`ImpactError::BadProblem`] about one value.
    pub fn bad_problem(
        field: impl Into<String>,
        value: impl ToString,
        reason: impl Into<String>,
    ) -> Self {
        Self::BadProblem { field: field.into(), value: value.to_string(), reason: reason.into() }
    }

    /// The same error, its field set inside a larger structure: `mu` becomes `contacts[2].mu`.
    pub fn within(self, prefix: &str) -> Self {
        match self {
            Self::BadProblem { field, value, reason } => {
                Self::BadProblem { field: format!("{prefix}.{field}"), value, reason }
            }
            other => other,
        }
    }
}

fn suggest(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or_else(String::new, |s| format!("; did you mean `{s}`?"))
}
