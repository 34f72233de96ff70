// Reads a GPX file with quick-xml and adds up what its points say, as read-bench does.
use quick_xml::events::Event;
use quick_xml::Reader;
use std::fs::File;
use std::io::BufReader;

#[derive(Clone, Copy, PartialEq)]
enum Kept {
    Nothing,
    Elevation,
    Time,
}

#[derive(Default)]
struct Sums {
    points: u64,
    degrees: f64,
    metres: f64,
    seconds: i64,
}

fn number(text: &[u8]) -> f64 {
    std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0.0)
}

fn digits(text: &[u8], at: usize, count: usize) -> i64 {
    text[at..at + count].iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'))
}

// Days since 1970 of a civil date: http://howardhinnant.github.io/date_algorithms.html
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn seconds(text: &[u8]) -> i64 {
    if text.len() < 19 {
        return 0;
    }
    days(digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2)) * 86_400
        + digits(text, 11, 2) * 3_600
        + digits(text, 14, 2) * 60
        + digits(text, 17, 2)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: quick-xml-peer FILE")?;
    let mut reader = Reader::from_reader(BufReader::with_capacity(1 << 17, File::open(path)?));
    reader.check_end_names(true);
    let mut sums = Sums::default();
    let (mut in_point, mut kept) = (false, Kept::Nothing);
    let mut buffer = Vec::new();
    loop {
        match reader.read_event_into(&mut buffer)? {
            Event::Start(element) => {
                kept = Kept::Nothing;
                match element.name().as_ref() {
                    b"trkpt" => {
                        in_point = true;
                        sums.points += 1;
                        for attribute in element.attributes() {
                            let attribute = attribute?;
                            if matches!(attribute.key.as_ref(), b"lat" | b"lon") {
                                sums.degrees += number(&attribute.value);
                            }
                        }
                    }
                    b"ele" if in_point => kept = Kept::Elevation,
                    b"time" if in_point => kept = Kept::Time,
                    _ => {}
                }
            }
            Event::Text(text) if kept != Kept::Nothing => {
                let text = text.unescape()?;
                match kept {
                    Kept::Elevation => sums.metres += number(text.as_bytes()),
                    _ => sums.seconds += seconds(text.as_bytes()),
                }
            }
            Event::End(element) => {
                kept = Kept::Nothing;
                if element.name().as_ref() == b"trkpt" {
                    in_point = false;
                }
            }
            Event::Eof => break,
            _ => {}
        }
        buffer.clear();
    }
    println!(
        "{} points, sums {:.0} {:.0} {}",
        sums.points, sums.degrees, sums.metres, sums.seconds
    );
    Ok(())
}
