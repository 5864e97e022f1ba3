use super::*;
use proptest::prelude::*;
use std::fmt::Debug;

fn read<T: FromStr<Err = QuantityError>>(text: &str) -> Option<T> {
    text.parse().ok()
}

/// What each reader before this one made of it: of `tacho load` (l), of other commands' flags (f),
/// of the experiment file (y);
/// `-` where it was refused.
#[test]
fn what_was_accepted_anywhere_is_accepted_everywhere() {
    for (text, rate) in [
        ("500", Some(500.0)),       // l f y
        ("500/s", Some(500.0)),     // l f y
        (" 500 /s ", Some(500.0)),  // l f y
        ("2_000/s", Some(2_000.0)), // l f y
        ("500rps", Some(500.0)),    // - f y
        ("30/min", Some(0.5)),      // - f y
        ("30 /m", Some(0.5)),       // - f y
        ("10,000", Some(10_000.0)), // l - -
        ("1,000,000/s", Some(1e6)), // l - -
        ("1e3", Some(1_000.0)),     // l - -
        ("+5", Some(5.0)),          // l - -
        ("0.5", Some(0.5)),         // l f y
        ("1,5", None),              // l read 15: a slip in half of Europe
        ("1000000000/s", None),     // l read it, and no generator sends it
        ("0", None),                // - - -
        ("-1", None),               // - - -
        ("inf", None),              // - - -
        ("500/h", None),            // - - -
    ] {
        assert_eq!(read::<Rate>(text).map(|r| r.0), rate, "{text}");
    }
    for (text, share) in [
        ("5%", Some(0.05)),   // f y
        ("0.05", Some(0.05)), // y; f read 0.05 %
        ("99.9%", Some(0.999)),
        ("0", Some(0.0)),    // f y
        ("100%", Some(1.0)), // f y
        ("50", None),        // f read 50 %, and 1 as 1 %
        ("150%", None),      // - -
    ] {
        assert_eq!(read::<Share>(text).map(|s| s.0), share, "{text}");
    }
    for (text, us) in [
        ("500ms", Some(500_000)),
        (" 1.5 s", Some(1_500_000)),
        ("2m", Some(120_000_000)),
        ("2min", Some(120_000_000)),
        ("1h", Some(3_600_000_000)),
        ("600us", Some(600)),
        ("600µs", Some(600)), // in checks only
        ("0", Some(0)),
        ("1_000ms", Some(1_000_000)),
        ("10", None),
        ("-1s", None),
        ("9999h", None), // flags only, and not known to the nanosecond
    ] {
        let found = read::<Duration>(text).map(|d| d.0.as_micros());
        assert_eq!(found, us, "{text}");
    }
    for (text, bytes) in [
        ("256MiB", Some(256 << 20)),
        ("256Mi", Some(256 << 20)),
        ("512M", Some(512_000_000)),
        ("1.5GiB", Some(3 << 29)),
        ("4KB", Some(4_000)),
        ("100B", Some(100)),
        ("256", None),
        ("0B", None),
        ("256MIB", None),
    ] {
        assert_eq!(read::<Bytes>(text).map(|b| b.0), bytes, "{text}");
    }
    for (text, count) in [
        ("10000", Some(10_000)),  // l f y
        ("10k", Some(10_000)),    // - - y
        ("10_000", Some(10_000)), // - - y
        ("10,000", Some(10_000)),
        ("0", None),
        ("1.5", None),
    ] {
        assert_eq!(read::<Count>(text).map(|c| c.0), count, "{text}");
    }
    for (text, cpus) in [
        ("1", Some(1.0)),
        ("250m", Some(0.25)),
        ("0", None),
        ("5000", None),
    ] {
        assert_eq!(read::<Cpus>(text).map(|c| c.0), cpus, "{text}");
    }
    assert_eq!(read::<RateOrNone>("0/s"), Some(RateOrNone(0.0)));
    assert_eq!(read::<RateOrNone>("-1"), None);
    assert_eq!(read::<PositiveDuration>("0s"), None);
    assert_eq!(read::<Factor>("2x"), Some(Factor(2.0)));
    assert_eq!(read::<Factor>("0"), None);
}

#[test]
fn a_slip_is_named_with_the_way_out() {
    fn said<T: FromStr<Err = QuantityError> + Debug>(text: &str) -> String {
        text.parse::<T>().unwrap_err().to_string()
    }
    let all = [
        said::<Duration>("10"),
        said::<Duration>("soon"),
        said::<Duration>("10 sec"),
        said::<Duration>("9999h"),
        said::<PositiveDuration>("0s"),
        said::<Bytes>("256"),
        said::<Bytes>("256MIB"),
        said::<Cpus>("0"),
        said::<Cpus>("none"),
        said::<Rate>("1,5"),
        said::<Rate>("0"),
        said::<Rate>("99999999"),
        said::<RateOrNone>("99999999"),
        said::<Share>("50"),
        said::<Count>("1.5"),
        said::<Count>("0"),
        said::<Factor>("0"),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

fn again<T: FromStr<Err = QuantityError> + fmt::Display>(value: &T) -> T {
    let printed = value.to_string();
    printed.parse().unwrap_or_else(|e| panic!("{printed}: {e}"))
}

proptest! {
    #[test]
    fn what_is_printed_is_read_as_the_same(
        ns in 0u64..=104 * 24 * 3600 * 1_000_000_000, coarse in 0u64..100_000,
        bytes in 1u64..=1_000_000_000_000_000_000,
        cpus in 0.01f64..=4096.0, rate in 1e-6f64..=1e7, share in 0.0f64..=1.0, count in 1u64..=1_000_000_000_000_000,
    ) {
        for ns in [ns, coarse, coarse * 1_000, coarse * 1_000_000, coarse * 1_000_000_000 / 12] {
            let time = Duration(time::Duration::from_nanos(ns));
            prop_assert_eq!(again(&time), time);
        }
        prop_assert_eq!(again(&Bytes(bytes)), Bytes(bytes));
        prop_assert_eq!(again(&Bytes(coarse.max(1) << 20)), Bytes(coarse.max(1) << 20));
        prop_assert_eq!(again(&Cpus(cpus)), Cpus(cpus));
        prop_assert_eq!(again(&Rate(rate)), Rate(rate));
        prop_assert_eq!(again(&RateOrNone(rate)), RateOrNone(rate));
        prop_assert_eq!(again(&Factor(rate)), Factor(rate));
        prop_assert_eq!(again(&Share(share)), Share(share));
        prop_assert_eq!(again(&Count(count)), Count(count));
    }

    #[test]
    fn no_text_makes_the_readers_panic(any in ".{0,20}", near in "[+-]?[0-9._,eE+-]{0,12} ?[a-zA-Z/%µ]{0,4}") {
        for text in [any, near] {
            let _ = text.parse::<Duration>();
            let _ = text.parse::<PositiveDuration>();
            let _ = text.parse::<Bytes>();
            let _ = text.parse::<Cpus>();
            let _ = text.parse::<Rate>();
            let _ = text.parse::<RateOrNone>();
            let _ = text.parse::<Share>();
            let _ = text.parse::<Factor>();
            let _ = text.parse::<Count>();
        }
    }
}
