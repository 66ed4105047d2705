//! Makes the signs visible that a terminal would obey instead of show.
//!
//! A file, its name and the words of a message may hold escape codes, signs that turn the direction of writing, and
//! signs without width. What leaves this module holds none of them.

/// Stands for each sign that must not reach a terminal.
pub const HIDDEN: char = '\u{fffd}';

/// Would a terminal obey this sign, or hide it?
pub fn is_hidden(sign: char) -> bool {
    sign.is_control()
        || matches!(sign,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// The sign itself, or what is shown in its place.
pub fn sign(sign: char) -> char {
    match sign {
        '\t' => ' ',
        sign if is_hidden(sign) => HIDDEN,
        sign => sign,
    }
}

/// A text as one line of at most `most` signs; a line end becomes a blank.
pub fn line(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for (count, next) in text.trim_end().chars().filter(|next| *next != '\r').enumerate() {
        if count == most {
            shown.push('…');
            break;
        }
        shown.push(if next == '\n' { ' ' } else { sign(next) });
    }
    shown
}

/// A text of at most `most` signs that keeps its line ends.
pub fn lines(text: &str, most: usize) -> String {
    let mut left = most;
    let mut shown = Vec::new();
    for part in text.lines() {
        shown.push(line(part, left));
        left = left.saturating_sub(part.len());
        if left == 0 {
            break;
        }
    }
    shown.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hidden_remains() {
        let text = "a\u{1b}[31mb\u{202e}c\r\nd\u{0}\u{85}\u{200b}e\tf";
        assert_eq!(line(text, 99), "a\u{fffd}[31mb\u{fffd}c d\u{fffd}\u{fffd}\u{fffd}e f");
        assert_eq!(lines("a\u{7}\r\nb", 99), "a\u{fffd}\nb");
        assert_eq!(line("abcdef", 3), "abc…");
    }
}
