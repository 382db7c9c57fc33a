//! Several devices and a homeserver that passes on what they ask, as the specification has it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use matrix_sdk_crypto::{OlmMachine, vodozemac::megolm::MegolmMessage};
use ruma::user_id;
use serde_json::{Map, Value, json};

use crate::{
    requests::Requests,
    vault::{Refusal, Vault},
};

const ROOM: &str = "!room:example.org";
const BOT: &str = "@bot:example.org";
const ANN: &str = "@ann:example.org";
const EVE: &str = "@eve:example.org";

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "munchbot-crypto-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        Folder(std::env::temp_dir().join(name))
    }

    fn copy(&self) -> Self {
        let copy = Folder::new();
        fs::create_dir_all(&copy.0).unwrap();
        for entry in fs::read_dir(&self.0).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), copy.0.join(entry.file_name())).unwrap();
        }
        copy
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

type PerDevice<T> = BTreeMap<(String, String), T>;

#[derive(Default)]
struct Server {
    devices: BTreeMap<String, Map<String, Value>>,
    keys: PerDevice<Map<String, Value>>,
    identities: BTreeMap<String, Value>,
    inboxes: PerDevice<Vec<Value>>,
    sent: Vec<(String, String)>,
    away: Vec<String>,
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

impl Server {
    fn upload(&mut self, user: &str, device: &str, body: &Value) -> Value {
        if body["device_keys"].is_object() {
            let keys = body["device_keys"].clone();
            self.devices
                .entry(user.into())
                .or_default()
                .insert(device.into(), keys);
        }
        let held = self.keys.entry((user.into(), device.into())).or_default();
        held.extend(entries(&body["one_time_keys"]).map(|(id, key)| (id.clone(), key.clone())));
        json!({ "one_time_key_counts": { "signed_curve25519": held.len() } })
    }

    fn query(&self, body: &Value) -> Value {
        let mut said = json!({ "device_keys": {}, "master_keys": {}, "self_signing_keys": {},
                               "user_signing_keys": {}, "failures": {} });
        for (user, _) in entries(&body["device_keys"]) {
            if self.away.contains(user) {
                said["failures"]["example.org"] = json!({});
                continue;
            }
            said["device_keys"][user] = json!(self.devices.get(user).cloned().unwrap_or_default());
            for (kind, key) in self
                .identities
                .get(user)
                .iter()
                .flat_map(|keys| entries(keys))
            {
                said[format!("{kind}s")][user] = key.clone();
            }
        }
        said
    }

    fn claim(&mut self, body: &Value) -> Value {
        let mut said = json!({ "one_time_keys": {}, "failures": {} });
        for (user, devices) in entries(&body["one_time_keys"]) {
            for (device, _) in entries(devices) {
                let held = self.keys.entry((user.clone(), device.clone())).or_default();
                if let Some(id) = held.keys().next().cloned() {
                    let key = held.remove(&id).unwrap();
                    said["one_time_keys"][user][device] = json!({ id: key });
                }
            }
        }
        said
    }

    fn pass_message(&mut self, user: &str, path: &str, body: &Value) -> Value {
        let kind = path.split('/').nth(5).unwrap();
        for (to, devices) in entries(&body["messages"]) {
            for (device, content) in entries(devices) {
                self.sent.push((kind.into(), format!("{to} {device}")));
                let event = json!({ "type": kind, "sender": user, "content": content });
                self.inboxes
                    .entry((to.clone(), device.clone()))
                    .or_default()
                    .push(event);
            }
        }
        json!({})
    }

    fn sign(&mut self, body: &Value) -> Value {
        for (user, signed) in entries(body) {
            for (name, signatures) in entries(signed) {
                let device = self
                    .devices
                    .get_mut(user)
                    .and_then(|devices| devices.get_mut(name));
                let Some(device) = device else { continue };
                for (id, signature) in entries(&signatures["signatures"][user]) {
                    device["signatures"][user][id] = signature.clone();
                }
            }
        }
        json!({ "failures": {} })
    }

    fn answer(&mut self, user: &str, device: &str, request: &Value) -> Value {
        let body = &request["body"];
        match request["kind"].as_str().unwrap() {
            "upload" => self.upload(user, device, body),
            "query" => self.query(body),
            "claim" => self.claim(body),
            "to-device" => self.pass_message(user, request["path"].as_str().unwrap(), body),
            "signing-keys" => {
                self.identities.insert(user.into(), body.clone());
                json!({})
            }
            "signatures" => self.sign(body),
            kind => panic!("{kind}"),
        }
    }
}

/// A device of somebody.
struct Client {
    vault: Vault,
    user: String,
    device: String,
    folder: Folder,
}

async fn open_at(path: &Path, user: &str, device: &str, keys: &str) -> Result<Vault, Refusal> {
    Vault::open(json!({ "path": path, "user": user, "device": device, "keys": keys })).await
}

impl Client {
    async fn unsigned(server: &mut Server, user: &str, device: &str, keys: &str) -> Self {
        let folder = Folder::new();
        let vault = open_at(&folder.0, user, device, keys).await.unwrap();
        let mut client = Client {
            vault,
            user: user.into(),
            device: device.into(),
            folder,
        };
        client.hear(server, json!({})).await;
        client.run(server, "requests", json!({})).await.unwrap();
        client
    }

    async fn new(server: &mut Server, user: &str, device: &str) -> Self {
        let mut client = Client::unsigned(server, user, device, "signed").await;
        client.identify(server, json!({})).await;
        client
    }

    async fn identify(&mut self, server: &mut Server, ask: Value) -> Value {
        let made = self.vault.ask("identity", ask).await.unwrap();
        self.pass_on(server, &made).await;
        self.run(server, "requests", json!({})).await.unwrap();
        made["seeds"].clone()
    }

    async fn pass_on(&mut self, server: &mut Server, said: &Value) {
        for request in said["first"].as_array().unwrap() {
            let body = server.answer(&self.user, &self.device, request);
            let answered = json!({ "request": request["request"], "body": body });
            // A person of a server that is away cannot be taken; the query is asked again.
            let _ = self.vault.ask("answered", answered).await;
        }
    }

    /// What was asked, with all that comes first.
    async fn run(&mut self, server: &mut Server, name: &str, ask: Value) -> Result<Value, Refusal> {
        for _ in 0..20 {
            let said = self.vault.ask(name, ask.clone()).await?;
            if said["first"].as_array().is_none_or(Vec::is_empty) {
                return Ok(said);
            }
            self.pass_on(server, &said).await;
        }
        panic!("{name} never comes to an end")
    }

    async fn hear(&mut self, server: &mut Server, lists: Value) -> Value {
        let place = (self.user.clone(), self.device.clone());
        let to_device = server.inboxes.remove(&place).unwrap_or_default();
        let count = server.keys.get(&place).map_or(0, Map::len);
        let heard = json!({ "to_device": to_device, "lists": lists, "unused": [],
                            "counts": { "signed_curve25519": count } });
        self.vault.ask("heard", heard).await.unwrap()
    }

    async fn seal(&mut self, server: &mut Server, readers: &[&str], body: &str) -> Value {
        let content = json!({ "msgtype": "m.text", "body": body });
        let ask = seal_ask(readers, &content);
        self.run(server, "seal", ask).await.unwrap()["sealed"].clone()
    }

    async fn unseal(&mut self, server: &mut Server, from: &str, sealed: &Value) -> Value {
        let id = format!("$event-of-{}", sealed["ciphertext"].as_str().unwrap());
        self.unseal_as(server, from, &id, sealed).await
    }

    /// What somebody said, as it is read.
    async fn reads(&mut self, server: &mut Server, from: &str, sealed: &Value) -> Value {
        self.unseal(server, from, sealed).await["content"]["body"].clone()
    }

    async fn unseal_as(&mut self, server: &mut Server, from: &str, id: &str, it: &Value) -> Value {
        let event = json!({ "type": "m.room.encrypted", "sender": from, "event_id": id,
                            "origin_server_ts": 1, "room_id": ROOM, "content": it });
        let ask = json!({ "room": ROOM, "events": [event] });
        self.run(server, "unseal", ask).await.unwrap()["opened"][0].clone()
    }
}

fn seal_ask(readers: &[&str], content: &Value) -> Value {
    json!({ "room": ROOM, "readers": readers, "visibility": "joined", "rotation_ms": 604_800_000,
            "rotation_messages": 1000, "type": "m.room.message", "content": content })
}

fn index(sealed: &Value) -> u32 {
    MegolmMessage::from_base64(sealed["ciphertext"].as_str().unwrap())
        .unwrap()
        .message_index()
}

fn run<F: Future>(test: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(test)
}

#[test]
fn only_the_reader_reads() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let mut other = Client::unsigned(server, BOT, "TWO", "signed").await;
        let mut ann = Client::new(server, ANN, "PHONE").await;
        let mut eve = Client::new(server, EVE, "LAPTOP").await;
        let sealed = bot.seal(server, &[ANN], "your hand").await;
        assert!(!sealed.to_string().contains("hand"));
        let readers: Vec<_> = server.sent.iter().map(|(_, to)| to.as_str()).collect();
        assert_eq!(readers, [format!("{ANN} PHONE")]);
        for client in [&mut ann, &mut eve, &mut other] {
            client.hear(server, json!({})).await;
        }
        let said = ann.unseal(server, BOT, &sealed).await;
        assert_eq!(said["type"], "m.room.message");
        assert_eq!(said["content"]["body"], "your hand");
        assert_eq!(eve.unseal(server, BOT, &sealed).await["no"], "later");
        assert_eq!(other.unseal(server, BOT, &sealed).await["no"], "later");
        // What it said itself it can look for; and back.
        let own = bot.unseal(server, BOT, &sealed).await;
        assert_eq!(own["content"]["body"], "your hand");
        let sealed = ann.seal(server, &[BOT], "kick").await;
        bot.hear(server, json!({})).await;
        assert_eq!(bot.reads(server, ANN, &sealed).await, "kick");
    });
}

#[test]
fn who_is_no_reader_any_more_gets_no_further_key() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let mut ann = Client::new(server, ANN, "PHONE").await;
        let mut eve = Client::new(server, EVE, "LAPTOP").await;
        let first = bot.seal(server, &[ANN, EVE], "to both").await;
        let second = bot.seal(server, &[ANN], "to one").await;
        assert_ne!(first["session_id"], second["session_id"]);
        ann.hear(server, json!({})).await;
        eve.hear(server, json!({})).await;
        assert_eq!(eve.reads(server, BOT, &first).await, "to both");
        assert_eq!(eve.unseal(server, BOT, &second).await["no"], "later");
        assert_eq!(ann.reads(server, BOT, &second).await, "to one");
    });
}

#[test]
fn a_device_that_its_owner_has_not_signed_reads_only_where_all_do() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let mut lax = Client::unsigned(server, "@lax:example.org", "ONE", "all").await;
        let _ann = Client::new(server, ANN, "PHONE").await;
        let mut old = Client::unsigned(server, ANN, "OLD", "all").await;
        // A signature of somebody else's is none.
        let forged = json!({ "ed25519:forged": "a".repeat(86) });
        server.devices.get_mut(ANN).unwrap()["OLD"]["signatures"][ANN]["ed25519:forged"] =
            forged["ed25519:forged"].clone();
        let sealed = bot.seal(server, &[ANN], "signed").await;
        let keys: Vec<_> = server
            .sent
            .iter()
            .filter(|(kind, _)| kind == "m.room.encrypted")
            .collect();
        assert_eq!(keys.len(), 1);
        old.hear(server, json!({})).await;
        assert_eq!(old.unseal(server, BOT, &sealed).await["no"], "withheld");
        let reads = bot
            .run(server, "readers", json!({ "people": [ANN] }))
            .await
            .unwrap();
        assert_eq!(reads["reads"][ANN], 1);
        let reads = lax
            .run(server, "readers", json!({ "people": [ANN, EVE] }))
            .await
            .unwrap();
        assert_eq!(reads["reads"], json!({ ANN: 2, EVE: 0 }));
        let sealed = lax.seal(server, &[ANN], "all").await;
        old.hear(server, json!({})).await;
        let said = old.unseal(server, "@lax:example.org", &sealed).await;
        assert_eq!(said["content"]["body"], "all");
        // What an unsigned device says is heard by the same rule.
        let sealed = old.seal(server, &[BOT, "@lax:example.org"], "kick").await;
        bot.hear(server, json!({})).await;
        lax.hear(server, json!({})).await;
        assert_eq!(bot.unseal(server, ANN, &sealed).await["no"], "unsigned");
        assert_eq!(lax.reads(server, ANN, &sealed).await, "kick");
        // But never as somebody else's.
        assert_eq!(lax.unseal(server, EVE, &sealed).await["no"], "bad");
    });
}

#[test]
fn the_bot_is_no_reader() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let ask = seal_ask(&[ANN, BOT], &json!({}));
        assert_eq!(bot.vault.ask("seal", ask).await, Err(Refusal::Reader));
    });
}

#[test]
fn an_unsigned_bot_seals_nothing_where_signatures_count() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::unsigned(server, BOT, "ONE", "signed").await;
        let _ann = Client::new(server, ANN, "PHONE").await;
        let sealed = bot.run(server, "seal", seal_ask(&[ANN], &json!({}))).await;
        assert_eq!(sealed, Err(Refusal::Unsigned));
    });
}

#[test]
fn an_identity_comes_back_from_its_seeds() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::unsigned(server, BOT, "ONE", "signed").await;
        let seeds = bot.identify(server, json!({})).await;
        let master = server.identities[BOT]["master_key"]["keys"].clone();
        let mut next = Client::unsigned(server, BOT, "TWO", "signed").await;
        assert_eq!(next.vault.status().await.unwrap()["signed"], false);
        next.identify(server, json!({ "seeds": seeds })).await;
        assert_eq!(server.identities[BOT]["master_key"]["keys"], master);
        assert_eq!(next.vault.status().await.unwrap()["signed"], true);
        let mut ann = Client::new(server, ANN, "PHONE").await;
        let sealed = next.seal(server, &[ANN], "still me").await;
        ann.hear(server, json!({})).await;
        assert_eq!(ann.reads(server, BOT, &sealed).await, "still me");
    });
}

#[test]
fn sealing_waits_for_keys_and_goes_on_without_who_does_not_answer() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let mut ann = Client::new(server, ANN, "PHONE").await;
        server.away.push(EVE.into());
        let mut ask = seal_ask(&[ANN, EVE], &json!({ "body": "to who is there" }));
        let said = bot.vault.ask("seal", ask.clone()).await.unwrap();
        let kinds: Vec<_> = said["first"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| &it["kind"])
            .collect();
        assert_eq!(kinds, ["query", "query"]);
        bot.pass_on(server, &said).await;
        // Ann's answer counts, Eve is asked for again.
        let said = bot.vault.ask("seal", ask.clone()).await.unwrap();
        assert_eq!(said["first"].as_array().unwrap().len(), 1);
        assert!(said["first"][0]["body"]["device_keys"][EVE].is_array());
        ask["skip"] = json!([EVE]);
        let sealed = bot.run(server, "seal", ask).await.unwrap()["sealed"].clone();
        ann.hear(server, json!({})).await;
        assert_eq!(ann.reads(server, BOT, &sealed).await, "to who is there");
    });
}

#[test]
fn a_new_device_reads_what_comes_from_then_on() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let mut ann = Client::unsigned(server, ANN, "PHONE", "signed").await;
        let seeds = ann.identify(server, json!({})).await;
        let before = bot.seal(server, &[ANN], "before").await;
        let mut tablet = Client::unsigned(server, ANN, "TABLET", "signed").await;
        tablet.identify(server, json!({ "seeds": seeds })).await;
        bot.hear(server, json!({ "changed": [ANN] })).await;
        let after = bot.seal(server, &[ANN], "after").await;
        assert_eq!(before["session_id"], after["session_id"]);
        tablet.hear(server, json!({})).await;
        assert_eq!(tablet.unseal(server, BOT, &before).await["no"], "later");
        assert_eq!(tablet.reads(server, BOT, &after).await, "after");
        ann.hear(server, json!({})).await;
        assert_eq!(ann.reads(server, BOT, &before).await, "before");
    });
}

#[test]
fn a_late_key_opens_what_waited_for_it() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let mut ann = Client::new(server, ANN, "PHONE").await;
        let sealed = ann.seal(server, &[BOT], "late").await;
        assert_eq!(bot.unseal(server, ANN, &sealed).await["no"], "later");
        let heard = bot.hear(server, json!({})).await;
        assert_eq!(heard["keys"], json!([[ROOM, sealed["session_id"]]]));
        assert_eq!(bot.reads(server, ANN, &sealed).await, "late");
    });
}

#[test]
fn what_is_sent_again_under_another_name_is_not_heard_again() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let mut ann = Client::new(server, ANN, "PHONE").await;
        let sealed = ann.seal(server, &[BOT], "kick").await;
        bot.hear(server, json!({})).await;
        for _ in 0..2 {
            let said = bot.unseal_as(server, ANN, "$one", &sealed).await;
            assert_eq!(said["content"]["body"], "kick");
        }
        assert_eq!(
            bot.unseal_as(server, ANN, "$two", &sealed).await["no"],
            "replayed"
        );
        assert_eq!(
            bot.unseal_as(server, EVE, "$one", &sealed).await["no"],
            "bad"
        );
    });
}

#[test]
fn what_a_message_relates_to_is_what_all_see() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let mut ann = Client::new(server, ANN, "PHONE").await;
        let relates = json!({ "rel_type": "m.replace", "event_id": "$old" });
        let content = json!({ "body": "* new", "m.relates_to": relates });
        let ask = seal_ask(&[ANN], &content);
        let mut sealed = bot.run(server, "seal", ask).await.unwrap()["sealed"].clone();
        assert_eq!(sealed["m.relates_to"], relates);
        ann.hear(server, json!({})).await;
        assert_eq!(
            ann.unseal(server, BOT, &sealed).await["content"]["m.relates_to"],
            relates
        );
        sealed.as_object_mut().unwrap().remove("m.relates_to");
        assert!(ann.unseal(server, BOT, &sealed).await["content"]["m.relates_to"].is_null());
    });
}

#[test]
fn what_not_every_reader_takes_is_bad_by_itself() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let mut ann = Client::new(server, ANN, "PHONE").await;
        let deep = (0..200).fold(json!(1), |deep, _| json!([deep]));
        let contents = [
            json!({ "body": "x", "much": u64::MAX }),
            json!({ "body": "x", "in": [{ "a\0b": 1 }] }),
            json!({ "body": "x", "deep": deep }),
            json!({ "body": "hear", "much": i64::MAX, "less": 0.5 }),
        ];
        let mut events = Vec::new();
        for content in &contents {
            let ask = seal_ask(&[BOT], content);
            let sealed = ann.run(server, "seal", ask).await.unwrap()["sealed"].clone();
            events.push(
                json!({ "type": "m.room.encrypted", "sender": ANN, "room_id": ROOM,
                                "event_id": format!("${}", events.len()), "origin_server_ts": 1,
                                "content": sealed }),
            );
        }
        bot.hear(server, json!({})).await;
        let ask = json!({ "room": ROOM, "events": events });
        let said = bot.run(server, "unseal", ask).await.unwrap();
        for bad in 0..3 {
            assert_eq!(said["opened"][bad], json!({ "no": "bad" }));
        }
        assert_eq!(said["opened"][3]["content"]["body"], "hear");
    });
}

#[test]
fn a_store_goes_on_where_it_stood_and_is_one_process_s() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let _ann = Client::new(server, ANN, "PHONE").await;
        let first = bot.seal(server, &[ANN], "one").await;
        let copy = bot.folder.copy();
        let second = bot.seal(server, &[ANN], "two").await;
        assert_eq!((index(&first), index(&second)), (0, 1));
        let before = bot.vault.status().await.unwrap();
        let path = bot.folder.0.clone();
        assert_eq!(
            open_at(&path, BOT, "ONE", "signed").await.err(),
            Some(Refusal::Locked)
        );
        let Client { vault, folder, .. } = bot;
        drop(vault);
        assert_eq!(
            open_at(&path, BOT, "TWO", "signed").await.err(),
            Some(Refusal::Other)
        );
        let vault = open_at(&path, BOT, "ONE", "signed").await.unwrap();
        let mut bot = Client {
            vault,
            folder,
            user: BOT.into(),
            device: "ONE".into(),
        };
        assert_eq!(bot.vault.status().await.unwrap(), before);
        let third = bot.seal(server, &[ANN], "three").await;
        assert_eq!(
            (&third["session_id"], index(&third)),
            (&first["session_id"], 2)
        );
        // An older copy is known by its count.
        let old = open_at(&copy.0, BOT, "ONE", "signed")
            .await
            .unwrap()
            .status()
            .await
            .unwrap();
        assert_eq!(old["ed25519"], before["ed25519"]);
        assert!(old["commits"].as_u64() < before["commits"].as_u64());
    });
}

#[test]
fn a_store_that_is_none_is_refused() {
    run(async {
        let folder = Folder::new();
        fs::create_dir_all(&folder.0).unwrap();
        fs::write(
            folder.0.join("matrix-sdk-crypto.sqlite3"),
            "no store ".repeat(1000),
        )
        .unwrap();
        assert_eq!(
            open_at(&folder.0, BOT, "ONE", "signed").await.err(),
            Some(Refusal::Store)
        );
        fs::write(folder.0.join("file"), "").unwrap();
        let inside = folder.0.join("file/inside");
        assert_eq!(
            open_at(&inside, BOT, "ONE", "signed").await.err(),
            Some(Refusal::Store)
        );
    });
}

#[test]
fn nothing_is_forwarded() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        let mut ann = Client::new(server, ANN, "PHONE").await;
        let sealed = bot.seal(server, &[ANN], "your hand").await;
        let sent = server.sent.len();
        let mut asks = json!({ "type": "m.room_key_request", "sender": ANN, "content": {
            "action": "request", "request_id": "1", "requesting_device_id": "PHONE",
            "body": { "algorithm": "m.megolm.v1.aes-sha2", "room_id": ROOM,
                      "session_id": sealed["session_id"] } } });
        for sender in [ANN, BOT, EVE] {
            asks["sender"] = json!(sender);
            server
                .inboxes
                .entry((BOT.into(), "ONE".into()))
                .or_default()
                .push(asks.clone());
        }
        bot.hear(server, json!({})).await;
        bot.run(server, "requests", json!({})).await.unwrap();
        ann.hear(server, json!({})).await;
        bot.seal(server, &[ANN], "again").await;
        assert_eq!(server.sent.len(), sent);
    });
}

#[test]
fn bad_asks_and_answers_are_refused() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::new(server, BOT, "ONE").await;
        for (name, ask) in [
            ("nothing", json!({})),
            ("seal", json!({})),
            ("seal", json!({ "room": "no room" })),
            ("heard", json!({ "counts": 3 })),
            ("unseal", json!({ "room": ROOM, "events": {} })),
            ("answered", json!({ "request": 7 })),
        ] {
            assert_eq!(
                bot.vault.ask(name, ask).await,
                Err(Refusal::BadAsk),
                "{name}"
            );
        }
        let heard = json!({ "to_device": [{}, 7, { "type": "m.room.encrypted", "sender": EVE,
                            "content": {} }], "counts": {} });
        bot.vault.ask("heard", heard).await.unwrap();
        let ask = json!({ "room": ROOM, "events": [{}, 7] });
        let opened = bot.vault.ask("unseal", ask).await.unwrap();
        assert_eq!(opened["opened"], json!([{ "no": "bad" }, { "no": "bad" }]));
        for body in [json!([]), json!({ "device_keys": 7 }), json!({})] {
            let seal = seal_ask(&[ANN], &json!({}));
            let said = bot.vault.ask("seal", seal).await.unwrap();
            let answered = json!({ "request": said["first"][0]["request"], "body": body });
            let said = bot.vault.ask("answered", answered).await;
            assert_eq!(said, Err(Refusal::Answer), "{body}");
        }
    });
}

async fn give_devices(server: &mut Server, count: usize) {
    for number in 0..count {
        let device = format!("D{number}");
        let machine = OlmMachine::new(user_id!("@ann:example.org"), device.as_str().into()).await;
        let (id, keys) = machine.upload_device_keys().await.unwrap().unwrap();
        let request = Requests::default().upload(id.as_str(), &keys);
        server.upload(ANN, &device, &request["body"]);
    }
}

#[test]
fn five_hundred_devices_get_their_keys_by_parts() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::unsigned(server, BOT, "ONE", "all").await;
        give_devices(server, 500).await;
        let begun = std::time::Instant::now();
        let sealed = bot.seal(server, &[ANN], "to all").await;
        println!("500 devices: {:?}", begun.elapsed());
        assert!(sealed["ciphertext"].is_string());
        let keys = server
            .sent
            .iter()
            .filter(|(kind, _)| kind == "m.room.encrypted")
            .count();
        assert_eq!(keys, 500);
    });
}

#[test]
fn a_part_that_was_sent_is_not_sent_again() {
    run(async {
        let server = &mut Server::default();
        let mut bot = Client::unsigned(server, BOT, "ONE", "all").await;
        give_devices(server, 120).await;
        let ask = seal_ask(&[ANN], &json!({}));
        let mut said = json!({});
        let mut parts = BTreeMap::new();
        while said["sealed"].is_null() {
            said = bot.vault.ask("seal", ask.clone()).await.unwrap();
            if said["first"][0]["kind"] == "to-device" {
                assert!(said.to_string().len() < 200_000);
                for part in said["first"].as_array().unwrap() {
                    let times = parts.entry(part["request"].to_string()).or_insert(0);
                    *times += 1;
                    // One of them gets no answer at first.
                    let sent = *times > 1 || parts.len() != 2;
                    let body = if sent { json!({}) } else { Value::Null };
                    let answered = json!({ "request": part["request"], "body": body });
                    bot.vault.ask("answered", answered).await.unwrap();
                }
            } else if said["sealed"].is_null() {
                let said = said.clone();
                bot.pass_on(server, &said).await;
            }
        }
        let mut times: Vec<_> = parts.into_values().collect();
        times.sort_unstable();
        assert_eq!(times, [1, 1, 2]);
    });
}

#[test]
fn a_device_that_is_forgotten_leaves_nothing() {
    run(async {
        let mut server = Server::default();
        let mut bot = Client::unsigned(&mut server, BOT, "DEVICE", "signed").await;
        let keys = bot.vault.status().await.unwrap()["ed25519"].clone();
        bot.vault.ask("forget", json!({})).await.unwrap();
        assert!(!bot.folder.0.exists());
        let again = open_at(&bot.folder.0, BOT, "DEVICE", "signed").await;
        assert_ne!(again.unwrap().status().await.unwrap()["ed25519"], keys);
    });
}

/// What libolm, the reference of old, has sealed.
#[test]
fn the_reference_is_read() {
    use matrix_sdk_crypto::vodozemac::megolm::{InboundGroupSession, SessionConfig, SessionKey};
    let vectors: Value = serde_json::from_str(include_str!("vectors.json")).unwrap();
    let text = |name: &str| vectors[name].as_str().unwrap();
    let key = SessionKey::from_base64(text("session_key_at_index_0")).unwrap();
    let mut session = InboundGroupSession::new(&key, SessionConfig::version_1());
    assert_eq!(session.session_id(), text("session_id"));
    for index in 0..2_u32 {
        let sealed = text(&format!("ciphertext_index_{index}"));
        let message = MegolmMessage::from_base64(sealed).unwrap();
        let opened = session.decrypt(&message).unwrap();
        assert_eq!(opened.message_index, index);
        if index == 0 {
            let said: Value = serde_json::from_slice(&opened.plaintext).unwrap();
            assert_eq!(said, vectors["plaintext_0"]);
        }
    }
}
