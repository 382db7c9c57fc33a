//! A device's keys, and what is done with them.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::PathBuf,
    time::Duration,
};

use matrix_sdk_common::deserialized_responses::{VerificationLevel, VerificationState};
use matrix_sdk_crypto::{
    CollectStrategy, CrossSigningKeyExport, CryptoStoreError, DecryptionSettings,
    EncryptionSettings, EncryptionSyncChanges, MegolmError, OlmError, OlmMachine,
    OlmMachineBuilder, SessionRecipientCollectionError, TrustRequirement,
    types::requests::AnyIncomingResponse,
};
use matrix_sdk_sqlite::SqliteCryptoStore;
use ruma::{
    OneTimeKeyAlgorithm, OwnedDeviceId, OwnedRoomId, OwnedUserId, TransactionId, UInt,
    api::client::{
        keys::{
            claim_keys::v3::Response as ClaimResponse, get_keys::v3::Response as QueryResponse,
            upload_keys::v3::Response as UploadResponse,
            upload_signatures::v3::Response as SignaturesResponse,
            upload_signing_keys::v3::Response as SigningKeysResponse,
        },
        sync::sync_events::DeviceLists,
        to_device::send_event_to_device::v3::Response as ToDeviceResponse,
    },
    events::room::history_visibility::HistoryVisibility,
    serde::Raw,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json, value::to_raw_value};

use crate::{
    lock,
    people::People,
    requests::{Kind, Requests, parse},
    seen,
};

/// Why an ask was refused: a word, and never a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    BadAsk,
    /// Another process has the store.
    Locked,
    /// The store cannot be read or written.
    Store,
    /// The store is another account's or device's.
    Other,
    /// The own device is not signed, so nobody who looks for signatures would read it.
    Unsigned,
    /// A reader may not be one, or cannot be trusted any more.
    Reader,
    /// The answer of the homeserver cannot be used.
    Answer,
    TooLong,
}

impl Refusal {
    pub fn word(self) -> &'static str {
        match self {
            Refusal::BadAsk => "bad-ask",
            Refusal::Locked => "locked",
            Refusal::Store => "store",
            Refusal::Other => "other-device",
            Refusal::Unsigned => "unsigned",
            Refusal::Reader => "reader",
            Refusal::Answer => "bad-answer",
            Refusal::TooLong => "too-long",
        }
    }
}

impl From<CryptoStoreError> for Refusal {
    fn from(error: CryptoStoreError) -> Self {
        match error {
            CryptoStoreError::MismatchedAccount { .. } => Refusal::Other,
            _ => Refusal::Store,
        }
    }
}

impl From<OlmError> for Refusal {
    fn from(error: OlmError) -> Self {
        use SessionRecipientCollectionError as Collection;
        match error {
            OlmError::Store(error) => error.into(),
            OlmError::SessionRecipientCollectionError(
                Collection::CrossSigningNotSetup | Collection::SendingFromUnverifiedDevice,
            ) => Refusal::Unsigned,
            OlmError::SessionRecipientCollectionError(_) => Refusal::Reader,
            _ => Refusal::Answer,
        }
    }
}

type Said = Result<Value, Refusal>;

/// Whose keys count: those signed by their owner's identity, or all.
#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Keys {
    Signed,
    All,
}

#[derive(Deserialize)]
struct Open {
    path: PathBuf,
    user: OwnedUserId,
    device: OwnedDeviceId,
    keys: Keys,
}

#[derive(Deserialize)]
struct Heard {
    #[serde(default)]
    to_device: Vec<Value>,
    #[serde(default)]
    lists: DeviceLists,
    counts: BTreeMap<OneTimeKeyAlgorithm, UInt>,
    unused: Option<Vec<OneTimeKeyAlgorithm>>,
}

#[derive(Deserialize)]
struct Answered {
    request: String,
    /// What the homeserver said; none: it said nothing.
    body: Option<Value>,
}

#[derive(Deserialize)]
struct Seal {
    room: OwnedRoomId,
    readers: Vec<OwnedUserId>,
    /// Whose devices are taken as they are known: their homeserver does not answer.
    #[serde(default)]
    skip: Vec<OwnedUserId>,
    visibility: HistoryVisibility,
    rotation_ms: u64,
    rotation_messages: u64,
    #[serde(rename = "type")]
    kind: String,
    content: Value,
}

#[derive(Deserialize)]
struct Unseal {
    room: OwnedRoomId,
    events: Vec<Value>,
    #[serde(default)]
    skip: Vec<OwnedUserId>,
}

#[derive(Deserialize)]
struct Readers {
    people: Vec<OwnedUserId>,
    #[serde(default)]
    skip: Vec<OwnedUserId>,
}

/// The seeds of the own identity, as unpadded base64.
#[derive(Deserialize)]
struct Seeds {
    master: String,
    self_signing: String,
    user_signing: String,
}

#[derive(Deserialize)]
struct Identity {
    seeds: Option<Seeds>,
    #[serde(default)]
    replace: bool,
}

fn read<T: DeserializeOwned>(ask: Value) -> Result<T, Refusal> {
    serde_json::from_value(ask).map_err(|_| Refusal::BadAsk)
}

fn raw<T>(json: &Value) -> Result<Raw<T>, Refusal> {
    to_raw_value(json)
        .map(Raw::from_json)
        .map_err(|_| Refusal::BadAsk)
}

/// Requests of one answer: some, at least one, since who reads many does nothing else meanwhile. The
/// others come when these have been answered.
fn as_many_as_fit(mut requests: Vec<Value>) -> Vec<Value> {
    const ROOM: usize = 128 << 10;
    let mut size = 0;
    let past = requests.iter().position(|request| {
        size += request.to_string().len();
        size > ROOM
    });
    requests.truncate(past.map_or(requests.len(), |past| past.max(1)));
    requests
}

/// Whether every reader of JSON takes it: no number above 63 bits, no NUL in a name.
fn is_plain(json: &Value) -> bool {
    match json {
        Value::Number(number) => number.is_i64() || !number.is_u64(),
        Value::Array(array) => array.iter().all(is_plain),
        Value::Object(object) => object
            .iter()
            .all(|(name, json)| !name.contains('\0') && is_plain(json)),
        _ => true,
    }
}

pub struct Vault {
    path: PathBuf,
    machine: OlmMachine,
    keys: Keys,
    people: People,
    requests: Requests,
    commits: u64,
    _lock: File,
}

const COMMITS: &str = "munchbot.commits";

impl Vault {
    pub async fn open(ask: Value) -> Result<Self, Refusal> {
        let Open {
            path,
            user,
            device,
            keys,
        } = read(ask)?;
        let Some(lock) = lock::hold(&path).map_err(|_| Refusal::Store)? else {
            return Err(Refusal::Locked);
        };
        let store = SqliteCryptoStore::open(&path, None)
            .await
            .map_err(|_| Refusal::Store)?;
        let machine = OlmMachineBuilder::new(&user, &device)
            .with_crypto_store(store)
            .build()
            .await?;
        let commits = machine
            .store()
            .get_value(COMMITS)
            .await?
            .unwrap_or_default();
        let (people, requests) = Default::default();
        Ok(Vault {
            path,
            machine,
            keys,
            people,
            requests,
            commits,
            _lock: lock,
        })
    }

    pub async fn ask(&mut self, name: &str, ask: Value) -> Said {
        match name {
            "status" => self.status().await,
            "requests" => self.own_requests().await,
            "heard" => self.heard(read(ask)?).await,
            "answered" => self.answered(read(ask)?).await,
            "seal" => self.seal(read(ask)?).await,
            "unseal" => self.unseal(read(ask)?).await,
            "readers" => self.readers(read(ask)?).await,
            "identity" => self.identity(read(ask)?).await,
            "forget" => self.forget(),
            _ => Err(Refusal::BadAsk),
        }
    }

    /// The device is none any more: what was kept of it goes. Nothing can be asked behind it.
    fn forget(&self) -> Said {
        fs::remove_dir_all(&self.path).map_err(|_| Refusal::Store)?;
        Ok(json!({}))
    }

    /// The store's commits are counted before each: a store with fewer than once was told is an
    /// older copy.
    async fn commit(&mut self) -> Result<(), Refusal> {
        self.machine
            .store()
            .set_value(COMMITS, &(self.commits + 1))
            .await?;
        self.commits += 1;
        Ok(())
    }

    pub async fn status(&self) -> Said {
        let keys = self.machine.identity_keys();
        let identity = self
            .machine
            .get_identity(self.machine.user_id(), None)
            .await?;
        let upload = self.machine.upload_device_keys().await?;
        Ok(json!({
            "uploaded": upload.is_none_or(|(_, upload)| upload.device_keys.is_none()),
            "curve25519": keys.curve25519.to_base64(),
            "ed25519": keys.ed25519.to_base64(),
            "commits": self.commits,
            "signed": identity.and_then(|own| own.own()).is_some_and(|own| own.is_verified())
                && self.machine.cross_signing_status().await.is_complete(),
        }))
    }

    /// Queries for people whose devices are not known as they are now; the own account's always,
    /// since its identity is there.
    fn queries(&mut self, people: &[OwnedUserId], skip: &[OwnedUserId]) -> Vec<Value> {
        let own = self.machine.user_id().to_owned();
        let people = people
            .iter()
            .filter(|user| !skip.contains(user))
            .chain([&own]);
        people
            .filter_map(|user| {
                let id = self.people.ask(user)?;
                Some(self.requests.query(&id, user))
            })
            .collect()
    }

    /// What is to be done for the own device.
    async fn own_requests(&mut self) -> Said {
        let mut first = self.queries(&[], &[]);
        if let Some((id, request)) = self.machine.upload_device_keys().await? {
            first.push(self.requests.upload(id.as_str(), &request));
        }
        Ok(json!({ "first": first }))
    }

    async fn heard(&mut self, heard: Heard) -> Said {
        self.commit().await?;
        for user in heard.lists.changed.iter().chain(&heard.lists.left) {
            self.people.forget(user);
        }
        let to_device_events = heard
            .to_device
            .iter()
            .map(raw)
            .collect::<Result<Vec<_>, Refusal>>()?;
        let changes = EncryptionSyncChanges {
            to_device_events,
            changed_devices: &heard.lists,
            one_time_keys_counts: &heard.counts,
            unused_fallback_keys: heard.unused.as_deref(),
            next_batch_token: None,
        };
        // Keys from devices that are not signed are taken; what they open is judged when it is.
        let (_, keys) = self
            .machine
            .receive_sync_changes(changes, &SETTINGS)
            .await?;
        let keys: Vec<_> = keys
            .iter()
            .map(|key| json!([key.room_id, key.session_id]))
            .collect();
        Ok(json!({ "commits": self.commits, "keys": keys }))
    }

    async fn answered(&mut self, Answered { request, body }: Answered) -> Said {
        let Some(kind) = self.requests.take(&request) else {
            return Ok(json!({ "commits": self.commits })); // of an earlier process of this kind
        };
        let Some(body) = body else {
            if let Kind::Query(user) = kind {
                self.people.unanswered(&user);
            }
            return Ok(json!({ "commits": self.commits }));
        };
        self.commit().await?;
        let taken = self.take_answer(&request, &kind, &body).await;
        if let Kind::Query(user) = kind {
            match taken {
                Ok(()) => self.people.told(&user),
                Err(_) => self.people.unanswered(&user),
            }
        }
        taken.map(|()| json!({ "commits": self.commits }))
    }

    async fn take_answer(
        &mut self,
        request: &str,
        kind: &Kind,
        body: &Value,
    ) -> Result<(), Refusal> {
        let id = <&TransactionId>::from(request);
        let machine = &self.machine;
        let bad = Refusal::Answer;
        match kind {
            Kind::Upload => {
                let answer: UploadResponse = parse(body).ok_or(bad)?;
                machine.mark_request_as_sent(id, &answer).await?;
            }
            Kind::Query(user) => {
                let answer: QueryResponse = parse(body).ok_or(bad)?;
                // A homeserver that is away is named as a failure, and its people are left out.
                if !answer.device_keys.contains_key(user) {
                    return Err(bad);
                }
                machine.mark_request_as_sent(id, &answer).await?;
            }
            Kind::Claim => {
                let answer: ClaimResponse = parse(body).ok_or(bad)?;
                machine.mark_request_as_sent(id, &answer).await?;
            }
            Kind::ToDevice(part) => {
                if self.requests.is_sent(part) {
                    machine
                        .mark_request_as_sent(&part.of, &ToDeviceResponse::new())
                        .await?;
                }
            }
            Kind::SigningKeys => {
                let answer = SigningKeysResponse::new();
                let answer = AnyIncomingResponse::SigningKeysUpload(&answer);
                machine.mark_request_as_sent(id, answer).await?;
            }
            Kind::Signatures => {
                machine
                    .mark_request_as_sent(id, &SignaturesResponse::new())
                    .await?;
            }
        }
        Ok(())
    }

    fn settings(&self, seal: &Seal) -> EncryptionSettings {
        EncryptionSettings {
            rotation_period: Duration::from_millis(seal.rotation_ms),
            rotation_period_msgs: seal.rotation_messages,
            history_visibility: seal.visibility.clone(),
            sharing_strategy: match self.keys {
                Keys::Signed => CollectStrategy::IdentityBasedStrategy,
                Keys::All => CollectStrategy::AllDevices,
            },
            ..EncryptionSettings::default()
        }
    }

    /// Seals a content for its readers, and for nobody else. Before that their devices have to be
    /// known and have the room's key: then the answer says what comes first, and the ask is
    /// repeated behind it.
    async fn seal(&mut self, seal: Seal) -> Said {
        let readers = &seal.readers;
        // The bot's other devices read nothing.
        if readers.iter().any(|user| user == self.machine.user_id()) {
            return Err(Refusal::Reader);
        }
        let mut first = self.queries(readers, &seal.skip);
        if first.is_empty() {
            let known = readers.iter().filter(|user| !seal.skip.contains(user));
            let claim = self
                .machine
                .get_missing_sessions(known.map(AsRef::as_ref))
                .await?;
            first.extend(claim.map(|(id, claim)| self.requests.claim(id.as_str(), &claim)));
        }
        if first.is_empty() {
            self.commit().await?;
            let shared = self
                .machine
                .share_room_key(
                    &seal.room,
                    readers.iter().map(AsRef::as_ref),
                    self.settings(&seal),
                )
                .await?;
            for request in &shared {
                first.extend(self.requests.messages(request));
            }
        }
        if !first.is_empty() {
            return Ok(json!({ "first": as_many_as_fit(first), "commits": self.commits }));
        }
        // Sharing without anything left to send has made a key, marked it as shared and found it
        // fresh: what the library demands of its callers, or else it stops the process.
        let content = raw(&seal.content)?;
        let sealed = self
            .machine
            .encrypt_room_event_raw(&seal.room, &seal.kind, &content)
            .await;
        let sealed = sealed.map_err(|_| Refusal::Store)?;
        Ok(json!({ "sealed": sealed.content, "commits": self.commits }))
    }

    /// Opens events of a room: each as it was said, or why not. `later`: its key, or its sender's
    /// devices, may come.
    async fn unseal(&mut self, unseal: Unseal) -> Said {
        let mut opened = Vec::new();
        let mut first = Vec::new();
        for event in &unseal.events {
            let (said, sender) = self.open_event(&unseal.room, event).await?;
            if let Some(sender) = sender
                && !self.people.is_fresh(&sender)
            {
                first.extend(self.queries(&[sender], &unseal.skip));
            }
            opened.push(said);
        }
        Ok(json!({ "opened": opened, "first": first, "commits": self.commits }))
    }

    /// An event, and who has to be asked for before it is opened again.
    async fn open_event(
        &self,
        room: &OwnedRoomId,
        event: &Value,
    ) -> Result<(Value, Option<OwnedUserId>), Refusal> {
        let no = |why: &str| Ok((json!({ "no": why }), None));
        let sender = event["sender"]
            .as_str()
            .and_then(|sender| OwnedUserId::try_from(sender).ok());
        let decrypted = match self
            .machine
            .decrypt_room_event(&raw(event)?, room, &SETTINGS)
            .await
        {
            Ok(decrypted) => decrypted,
            Err(MegolmError::Store(error)) => return Err(error.into()),
            Err(MegolmError::MissingRoomKey(Some(_))) => return no("withheld"),
            Err(MegolmError::MissingRoomKey(None) | MegolmError::Decryption(_)) => {
                return no("later");
            }
            Err(_) => return no("bad"),
        };
        match &decrypted.encryption_info.verification_state {
            VerificationState::Verified
            | VerificationState::Unverified(VerificationLevel::UnverifiedIdentity) => {}
            VerificationState::Unverified(VerificationLevel::UnsignedDevice)
                if self.keys == Keys::All => {}
            VerificationState::Unverified(
                VerificationLevel::UnsignedDevice | VerificationLevel::None(_),
            ) => {
                let fresh = sender
                    .as_ref()
                    .is_some_and(|sender| self.people.is_fresh(sender));
                let why = if fresh { "unsigned" } else { "later" };
                return Ok((json!({ "no": why }), sender));
            }
            VerificationState::Unverified(_) => return no("bad"),
        }
        if !seen::first_at_its_place(self.machine.store(), event).await? {
            return no("replayed");
        }
        let Some(said) = serde_json::from_str(decrypted.event.json().get())
            .ok()
            .filter(is_plain)
        else {
            return no("bad"); // its sender's own doing, and nobody else's loss
        };
        let mut content = said["content"].clone();
        // What it relates to is said in clear: a server may not be told other things than readers.
        if let Some(content) = content.as_object_mut() {
            content.remove("m.relates_to");
            if let Some(relates) = event["content"].get("m.relates_to") {
                content.insert("m.relates_to".to_owned(), relates.clone());
            }
        }
        Ok((json!({ "type": said["type"], "content": content }), None))
    }

    /// How many devices of each person would read what is sealed for them. A dehydrated one has
    /// nobody at it.
    async fn readers(&mut self, Readers { people, skip }: Readers) -> Said {
        let first = self.queries(&people, &skip);
        if !first.is_empty() {
            return Ok(json!({ "first": as_many_as_fit(first) }));
        }
        let mut reads = BTreeMap::new();
        for user in people {
            let devices = self.machine.get_user_devices(&user, None).await?;
            let counts = devices.devices().filter(|device| {
                !device.is_dehydrated()
                    && (self.keys == Keys::All || device.is_cross_signed_by_owner())
            });
            reads.insert(user, counts.count());
        }
        Ok(json!({ "reads": reads }))
    }

    /// The own identity: from its seeds, or a new one, of which the seeds are told. Its requests
    /// go in their order.
    async fn identity(&mut self, Identity { seeds, replace }: Identity) -> Said {
        self.commit().await?;
        let comes_back = seeds.is_some();
        if let Some(seeds) = seeds {
            let export = CrossSigningKeyExport {
                master_key: Some(seeds.master),
                self_signing_key: Some(seeds.self_signing),
                user_signing_key: Some(seeds.user_signing),
            };
            let taken = self.machine.import_cross_signing_keys(export).await;
            if !taken.is_ok_and(|status| status.is_complete()) {
                return Err(Refusal::Unsigned);
            }
        }
        let made = self
            .machine
            .bootstrap_cross_signing(replace)
            .await
            .map_err(|_| Refusal::Store)?;
        let mut first = Vec::new();
        // One that comes back from its seeds is at the homeserver. Another may be refused, and then
        // the device is to have no keys yet.
        if !comes_back {
            let id = TransactionId::new();
            let keys = &made.upload_signing_keys_req;
            first.push(self.requests.signing_keys(id.as_str(), keys));
        }
        if let Some((id, upload)) = self.machine.upload_device_keys().await? {
            first.push(self.requests.upload(id.as_str(), &upload));
        }
        let id = TransactionId::new();
        first.push(
            self.requests
                .signatures(id.as_str(), &made.upload_signatures_req),
        );
        let seeds = self.machine.export_cross_signing_keys().await?;
        let seeds = seeds.map(|seeds| {
            json!({ "master": seeds.master_key, "self_signing": seeds.self_signing_key,
                    "user_signing": seeds.user_signing_key })
        });
        self.people.forget(self.machine.user_id());
        Ok(json!({ "first": first, "seeds": seeds, "commits": self.commits }))
    }
}

/// The library lets everything through; `open_event` judges, since the library's own judgement
/// takes what is another person's where devices need not be signed.
const SETTINGS: DecryptionSettings = DecryptionSettings {
    sender_device_trust_requirement: TrustRequirement::Untrusted,
};
