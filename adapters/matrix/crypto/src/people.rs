//! Whose devices are known as they are now.
//!
//! The library asks for all people in one query; here each has one, so that a slow homeserver
//! holds up only its own people. Nobody is known when a process begins.

use std::collections::HashMap;

use ruma::{OwnedUserId, TransactionId, UserId};

enum Known {
    /// Asked for under this id; `again` where something has changed since.
    Asked {
        id: String,
        again: bool,
    },
    Fresh,
}

#[derive(Default)]
pub struct People(HashMap<OwnedUserId, Known>);

impl People {
    pub fn is_fresh(&self, user: &UserId) -> bool {
        matches!(self.0.get(user), Some(Known::Fresh))
    }

    /// Under which id somebody's devices are asked for: of a query that is under way the same.
    pub fn ask(&mut self, user: &UserId) -> Option<String> {
        match self.0.get(user) {
            Some(Known::Fresh) => None,
            Some(Known::Asked { id, .. }) => Some(id.clone()),
            None => {
                let id = TransactionId::new().to_string();
                self.0.insert(
                    user.to_owned(),
                    Known::Asked {
                        id: id.clone(),
                        again: false,
                    },
                );
                Some(id)
            }
        }
    }

    /// Their devices have been told.
    pub fn told(&mut self, user: &UserId) {
        match self.0.remove(user) {
            Some(Known::Asked { again: true, .. }) | None => {}
            Some(_) => drop(self.0.insert(user.to_owned(), Known::Fresh)),
        }
    }

    /// They are to be asked for again: something has changed, or no answer came.
    pub fn forget(&mut self, user: &UserId) {
        match self.0.get_mut(user) {
            Some(Known::Asked { again, .. }) => *again = true,
            _ => drop(self.0.remove(user)),
        }
    }

    pub fn unanswered(&mut self, user: &UserId) {
        self.0.remove(user);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruma::user_id;

    #[test]
    fn who_has_changed_while_they_were_asked_for_is_asked_for_again() {
        let (mut people, ann) = (People::default(), user_id!("@ann:x"));
        let first = people.ask(ann).unwrap();
        assert_eq!(people.ask(ann).as_ref(), Some(&first));
        people.forget(ann);
        people.told(ann);
        assert!(!people.is_fresh(ann));
        assert_ne!(people.ask(ann).unwrap(), first);
        people.told(ann);
        assert!(people.is_fresh(ann));
        assert!(people.ask(ann).is_none());
        people.forget(ann);
        assert!(people.ask(ann).is_some());
    }
}
