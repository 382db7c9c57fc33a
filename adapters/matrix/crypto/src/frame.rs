//! Frames on the socket: a length of four bytes, big-endian, and so much JSON.

use std::io::{self, ErrorKind, Read, Write};

use serde::Deserialize;
use serde_json::{Value, json};

pub const MAX: usize = 1 << 20;

fn bad(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

/// All that is read of an ask that cannot be read whole: it is nested too deeply, say.
#[derive(Deserialize)]
struct Named {
    id: u64,
}

/// The next frame; of an ask that cannot be read its id alone, so that it is refused. `None` where the other end has closed between two. An error ends the process:
/// behind a bad frame nobody knows where the next begins.
pub fn read(from: &mut impl Read) -> io::Result<Option<Value>> {
    let mut length = [0; 4];
    let first = from.read(&mut length)?;
    if first == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[first..])?;
    let length = u32::from_be_bytes(length) as usize;
    if length == 0 || length > MAX {
        return Err(bad("length"));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    serde_json::from_slice(&bytes)
        .or_else(|_| serde_json::from_slice(&bytes).map(|Named { id }| json!({ "id": id })))
        .map(Some)
        .map_err(|_| bad("JSON"))
}

/// False where it would be too long: nothing is written then.
pub fn write(to: &mut impl Write, frame: &Value) -> io::Result<bool> {
    let bytes = serde_json::to_vec(frame)?;
    let Some(length) = u32::try_from(bytes.len())
        .ok()
        .filter(|_| bytes.len() <= MAX)
    else {
        return Ok(false);
    };
    to.write_all(&[&length.to_be_bytes(), bytes.as_slice()].concat())?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_frame_comes_back_as_it_went() {
        let mut bytes = Vec::new();
        assert!(write(&mut bytes, &json!({ "id": 1 })).unwrap());
        assert!(write(&mut bytes, &json!({ "id": 2 })).unwrap());
        let mut from = bytes.as_slice();
        assert_eq!(read(&mut from).unwrap().unwrap()["id"], 1);
        assert_eq!(read(&mut from).unwrap().unwrap()["id"], 2);
        assert!(read(&mut from).unwrap().is_none());
    }

    #[test]
    fn a_frame_that_is_cut_or_no_json_is_an_error() {
        for bytes in [&b"\0"[..], b"\0\0\0\x02{", b"\0\0\0\x02{{", b"\0\0\0\0"] {
            assert!(read(&mut &*bytes).is_err());
        }
    }

    #[test]
    fn of_an_ask_that_is_too_deep_the_id_is_read() {
        let deep = format!(
            r#"{{"ask":"heard","x":{}{},"id":7}}"#,
            "[".repeat(2000),
            "]".repeat(2000)
        );
        let mut bytes = (deep.len() as u32).to_be_bytes().to_vec();
        bytes.extend(deep.as_bytes());
        let frame = read(&mut bytes.as_slice()).unwrap().unwrap();
        assert_eq!(frame, json!({ "id": 7 }));
    }

    #[test]
    fn an_endless_frame_is_refused_before_it_is_read() {
        let length = (MAX as u32 + 1).to_be_bytes();
        let mut from = length.chain(io::repeat(b' '));
        assert!(read(&mut from).is_err());
    }

    #[test]
    fn a_frame_that_would_be_too_long_is_not_written() {
        let mut bytes = Vec::new();
        assert!(!write(&mut bytes, &json!("x".repeat(MAX))).unwrap());
        assert!(bytes.is_empty());
    }
}
