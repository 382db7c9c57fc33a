//! Seals and opens what munchbot says and hears in encrypted Matrix rooms.
//!
//! A process of its own, since it waits for the disk. It speaks on standard input, one end of a
//! socket pair: a frame is a length of four bytes, big-endian, and so much JSON. Each ask is
//! `{"id": n, "ask": name, ...}`; the answers come in the same order, `{"id": n, ...}`, or
//! `{"id": n, "no": why}`. It reaches no network: what a homeserver has to be asked it hands out as
//! requests. It logs nothing. The README beside it lists the asks.

mod frame;
mod lock;
mod people;
mod requests;
mod seen;
#[cfg(test)]
mod tests;
mod vault;

use std::{
    io::{self, BufReader, IsTerminal},
    os::{fd::AsFd, unix::net::UnixStream},
    process::ExitCode,
};

use serde_json::{Value, json};

use crate::vault::{Refusal, Vault};

fn asked(ask: &Value) -> Value {
    ask.get("id").cloned().unwrap_or(Value::Null)
}

/// The answer to one ask; `vault` is what the first ask, `open`, has opened.
async fn answer(vault: &mut Option<Vault>, ask: Value) -> Value {
    let id = asked(&ask);
    let name = ask["ask"].as_str().unwrap_or_default().to_owned();
    let said = match (vault.as_mut(), name.as_str()) {
        (None, "open") => match Vault::open(ask).await {
            Ok(opened) => vault.insert(opened).status().await,
            Err(refusal) => Err(refusal),
        },
        (Some(vault), name) if name != "open" => vault.ask(name, ask).await,
        _ => Err(Refusal::BadAsk),
    };
    let mut said = said.unwrap_or_else(|refusal| json!({ "no": refusal.word() }));
    said["id"] = id;
    said
}

fn serve() -> io::Result<()> {
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut reader = BufReader::new(socket.try_clone()?);
    let mut writer = socket;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let _inside = runtime.enter(); // a store is let go of in there, too
    let mut vault = None;
    while let Some(ask) = frame::read(&mut reader)? {
        let said = runtime.block_on(answer(&mut vault, ask));
        let id = asked(&said);
        if !frame::write(&mut writer, &said)? {
            frame::write(
                &mut writer,
                &json!({ "id": id, "no": Refusal::TooLong.word() }),
            )?;
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--version") {
        println!("munchbot-crypto {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    if io::stdin().is_terminal() {
        eprintln!("munchbot starts munchbot-crypto by itself; nobody types to it");
        return ExitCode::from(2);
    }
    // A panic's own words might quote what was said in a room.
    std::panic::set_hook(Box::new(|panic| {
        let at = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        eprintln!("munchbot-crypto: stopped at {at}");
    }));
    lock::keep_private();
    lock::outlive_signals();
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
