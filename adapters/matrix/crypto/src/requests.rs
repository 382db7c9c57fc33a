//! What a homeserver has to be asked, as the bot sends it, and what it has answered.

use std::collections::{BTreeMap, BTreeSet};

use matrix_sdk_crypto::types::requests::{ToDeviceRequest, UploadSigningKeysRequest};
use ruma::{
    OwnedTransactionId, OwnedUserId, TransactionId, UserId,
    api::{
        IncomingResponse, IncomingResponseExt,
        client::keys::{
            claim_keys::v3::Request as ClaimRequest, upload_keys::v3::Request as UploadRequest,
            upload_signatures::v3::Request as SignaturesRequest,
        },
    },
    exports::http,
};
use serde_json::{Map, Value, json};

/// What is to be done with the answer.
#[derive(Clone)]
pub enum Kind {
    Upload,
    Query(OwnedUserId),
    Claim,
    ToDevice(Part),
    SigningKeys,
    Signatures,
}

/// Of a request of the library's, which is sent when all its parts are.
#[derive(Clone)]
pub struct Part {
    pub of: OwnedTransactionId,
    number: usize,
    count: usize,
}

impl Kind {
    fn word(&self) -> &'static str {
        match self {
            Kind::Upload => "upload",
            Kind::Query(_) => "query",
            Kind::Claim => "claim",
            Kind::ToDevice(_) => "to-device",
            Kind::SigningKeys => "signing-keys",
            Kind::Signatures => "signatures",
        }
    }
}

const TIMEOUT_MS: u32 = 10_000;

/// Devices in one request: who writes a longer one does nothing else meanwhile.
const TOGETHER: usize = 50;

#[derive(Default)]
pub struct Requests {
    /// Those that have been handed out and not answered.
    open: BTreeMap<String, Kind>,
    /// Of those that are sent in parts, which have been.
    sent: BTreeMap<OwnedTransactionId, BTreeSet<usize>>,
}

impl Requests {
    pub fn take(&mut self, id: &str) -> Option<Kind> {
        self.open.remove(id)
    }

    /// A part was sent; whether all are.
    pub fn is_sent(&mut self, part: &Part) -> bool {
        let sent = self.sent.entry(part.of.clone()).or_default();
        sent.insert(part.number);
        let all = sent.len() == part.count;
        if all {
            self.sent.remove(&part.of);
        }
        all
    }

    fn hand_out(&mut self, id: &str, kind: Kind, path: &str, body: Value) -> Value {
        let method = if matches!(kind, Kind::ToDevice(_)) {
            "PUT"
        } else {
            "POST"
        };
        let word = kind.word();
        self.open.insert(id.to_owned(), kind);
        json!({ "request": id, "kind": word, "method": method,
                "path": format!("/_matrix/client/v3/{path}"), "body": body })
    }

    pub fn query(&mut self, id: &str, user: &UserId) -> Value {
        let body = json!({ "timeout": TIMEOUT_MS, "device_keys": { user.as_str(): [] } });
        self.hand_out(id, Kind::Query(user.to_owned()), "keys/query", body)
    }

    pub fn claim(&mut self, id: &str, request: &ClaimRequest) -> Value {
        let body = json!({ "timeout": TIMEOUT_MS, "one_time_keys": request.one_time_keys });
        self.hand_out(id, Kind::Claim, "keys/claim", body)
    }

    pub fn upload(&mut self, id: &str, request: &UploadRequest) -> Value {
        let mut body = json!({ "one_time_keys": request.one_time_keys,
                               "fallback_keys": request.fallback_keys });
        if let Some(keys) = &request.device_keys {
            body["device_keys"] = json!(keys);
        }
        self.hand_out(id, Kind::Upload, "keys/upload", body)
    }

    /// The parts that have not been sent.
    pub fn messages(&mut self, request: &ToDeviceRequest) -> Vec<Value> {
        let of: &TransactionId = &request.txn_id;
        let devices: Vec<_> = request
            .messages
            .iter()
            .flat_map(|(user, devices)| devices.iter().map(move |(name, it)| (user, name, it)))
            .collect();
        let count = devices.len().div_ceil(TOGETHER);
        let sent = self.sent.get(of).cloned().unwrap_or_default();
        let parts = devices.chunks(TOGETHER).enumerate();
        parts
            .filter(|(number, _)| !sent.contains(number))
            .map(|(number, devices)| {
                let mut messages = Map::new();
                for (user, device, message) in devices {
                    messages.entry(user.as_str()).or_insert_with(|| json!({}))
                        [device.to_string()] = json!(message);
                }
                let part = Part {
                    of: of.to_owned(),
                    number,
                    count,
                };
                let id = format!("{of}-{number}");
                let path = format!("sendToDevice/{}/{id}", request.event_type);
                let body = json!({ "messages": messages });
                self.hand_out(&id, Kind::ToDevice(part), &path, body)
            })
            .collect()
    }

    pub fn signing_keys(&mut self, id: &str, request: &UploadSigningKeysRequest) -> Value {
        let body = json!({ "master_key": request.master_key,
                           "self_signing_key": request.self_signing_key,
                           "user_signing_key": request.user_signing_key });
        self.hand_out(id, Kind::SigningKeys, "keys/device_signing/upload", body)
    }

    pub fn signatures(&mut self, id: &str, request: &SignaturesRequest) -> Value {
        let body = json!(request.signed_keys);
        self.hand_out(id, Kind::Signatures, "keys/signatures/upload", body)
    }
}

/// A homeserver's answer as the library reads it; `None` where it is none.
pub fn parse<R: IncomingResponse>(body: &Value) -> Option<R> {
    let bytes = serde_json::to_vec(body).ok()?;
    let response = http::Response::new(bytes.as_slice());
    R::try_from_http_response(response).ok()
}
