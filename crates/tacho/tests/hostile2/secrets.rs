//! Secrets in other spellings than the usual ones, and words that are none.

use tacho_masking::Masking;

const SECRET: &str = "hunter2-Zq9xK";

#[test]
fn other_spellings_are_masked_too() {
    let masking = Masking::new();
    for text in [
        "DBPASS=<>",
        "PGPASS=<>",
        "-storepass <> -keypass <>",
        "Server=h;Uid=u;Pwd=<>;",
        "http://x/?sv=1&sig=<>",
        "http://x/?X-Amz-Signature=<>&X-Amz-Date=1",
        "SharedAccessSignature=<>",
        "http://x/?jwt=<>",
        "<password>  <>  </password>",
        "<ns:password type=\"text\"><></ns:password>",
        "password=`<>`",
        "{\"apiKey\":\"<>\", \"password\" : \"<>\"}",
    ] {
        let masked = masking.text(&text.replace("<>", SECRET));
        assert!(!masked.contains(SECRET), "{masked}");
    }
}

#[test]
fn what_is_no_secret_stays_and_json_stays_json() {
    let masking = Masking::new();
    for text in [
        "{\"tokens\": 12, \"keys\": 3}",
        "PWD=/srv/app OLDPWD=/srv",
        "bypass=true compass=north",
        "signature: (Ljava/lang/String;)V",
        "the password is wrong",
        "<title>Tokenizers</title>",
    ] {
        assert_eq!(masking.text(text), text);
    }
    let masked = masking.text("{\"password\": 123456, \"a\": [1, {\"secret\": true}]}");
    assert!(!masked.contains("123456"), "{masked}");
    serde_json::from_str::<serde_json::Value>(&masked).expect(&masked);
}
