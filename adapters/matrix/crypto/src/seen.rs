//! Which event stood at which index of a session of somebody else.
//!
//! A homeserver that sends an event's ciphertext again, under another id, would have a command done
//! twice: the library does not look. The same event at the same index is fine.

use std::collections::BTreeMap;

use matrix_sdk_crypto::{CryptoStoreError, store::Store, vodozemac::megolm::MegolmMessage};
use serde_json::Value;

/// Whether an event that was opened may be heard: nothing else stood at its place.
pub async fn first_at_its_place(store: &Store, event: &Value) -> Result<bool, CryptoStoreError> {
    let content = &event["content"];
    let (Some(id), Some(session), Some(text)) = (
        event["event_id"].as_str(),
        content["session_id"].as_str(),
        content["ciphertext"].as_str(),
    ) else {
        return Ok(false);
    };
    let Ok(message) = MegolmMessage::from_base64(text) else {
        return Ok(false);
    };
    let key = format!("munchbot.seen.{session}");
    let mut seen: BTreeMap<u32, String> = store.get_value(&key).await?.unwrap_or_default();
    match seen.insert(message.message_index(), id.to_owned()) {
        Some(before) => Ok(before == id),
        None => store.set_value(&key, &seen).await.map(|()| true),
    }
}
