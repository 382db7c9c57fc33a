//! What a homeserver has to be asked, as the bot sends it, and what it has answered.

use std::collections::BTreeMap;

use matrix_sdk_crypto::types::requests::{ToDeviceRequest, UploadSigningKeysRequest};
use ruma::{
    OwnedUserId, UserId,
    api::{
        IncomingResponse, IncomingResponseExt,
        client::keys::{
            claim_keys::v3::Request as ClaimRequest, upload_keys::v3::Request as UploadRequest,
            upload_signatures::v3::Request as SignaturesRequest,
        },
    },
    exports::http,
};
use serde_json::{Value, json};

/// What is to be done with the answer.
#[derive(Clone)]
pub enum Kind {
    Upload,
    Query(OwnedUserId),
    Claim,
    ToDevice,
    SigningKeys,
    Signatures,
}

impl Kind {
    fn word(&self) -> &'static str {
        match self {
            Kind::Upload => "upload",
            Kind::Query(_) => "query",
            Kind::Claim => "claim",
            Kind::ToDevice => "to-device",
            Kind::SigningKeys => "signing-keys",
            Kind::Signatures => "signatures",
        }
    }
}

const TIMEOUT_MS: u32 = 10_000;

/// Those that have been handed out and not answered.
#[derive(Default)]
pub struct Requests(BTreeMap<String, Kind>);

impl Requests {
    pub fn take(&mut self, id: &str) -> Option<Kind> {
        self.0.remove(id)
    }

    fn hand_out(&mut self, id: &str, kind: Kind, path: &str, body: Value) -> Value {
        let method = if matches!(kind, Kind::ToDevice) {
            "PUT"
        } else {
            "POST"
        };
        let word = kind.word();
        self.0.insert(id.to_owned(), kind);
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

    pub fn message(&mut self, request: &ToDeviceRequest) -> Value {
        let id = request.txn_id.as_str();
        let path = format!("sendToDevice/{}/{id}", request.event_type);
        self.hand_out(
            id,
            Kind::ToDevice,
            &path,
            json!({ "messages": request.messages }),
        )
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
