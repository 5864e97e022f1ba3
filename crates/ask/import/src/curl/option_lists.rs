//! curl's options that are not carried out (curl 8).

const OTHER_AUTHENTICATION: &str = "only Basic and Bearer authentication are sent";
const PROXY: &str = "no proxy is used: a load test through a proxy measures the proxy";
const ADDRESS: &str = "names are resolved as the system does; give the address in the URL";
const TLS: &str = "TLS versions and ciphers are chosen by Tacho";
const CERTIFICATE_FORM: &str = "certificates and keys are read as PEM files without pass phrase";

/// Reasons why options are not used, each with the options that take a value and those that take
/// none.
#[rustfmt::skip]
pub(super) const NOT_USED: &[(&str, &str, &str)] = &[
    ("only Unix sockets with a path are used", "abstract-unix-socket", ""),
    ("other services that the subject names are not followed", "alt-svc", ""),
    (
        OTHER_AUTHENTICATION,
        "aws-sigv4 delegation tlsauthtype tlspassword tlsuser",
        "anyauth digest negotiate ntlm ntlm-wb",
    ),
    ("give the authorities as one PEM file", "capath", ""),
    (CERTIFICATE_FORM, "cert-type key-type pass", ""),
    (
        TLS,
        "ciphers curves ech tls-max tls13-ciphers",
        "sslv2 sslv3 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3",
    ),
    ("options in other files are not read; write them into the command", "config", ""),
    (
        ADDRESS,
        "connect-to dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url interface \
         local-port resolve",
        "ipv4 ipv6",
    ),
    ("no transfer is resumed", "continue-at", ""),
    ("the body is sent as it is", "", "crlf"),
    ("no ETag is read from a file; give the header If-None-Match", "etag-compare", ""),
    (
        PROXY,
        "haproxy-clientip preproxy proxy proxy-header proxy-user proxy1.0 socks4 socks4a socks5 \
         socks5-hostname",
        "haproxy-protocol proxytunnel",
    ),
    ("the scheme stays the one in the URL", "hsts", ""),
    ("HTTP/1.1 is spoken", "", "http0.9 http1.0"),
    ("HTTP/3 is not spoken", "", "http3 http3-only"),
    ("the length of an answer is always checked", "", "ignore-content-length"),
    ("only http and https are spoken", "ipfs-gateway", ""),
    ("give the load with --rate", "limit-rate", ""),
    (
        "names and passwords in other files are not read; give --user",
        "netrc-file",
        "netrc netrc-optional",
    ),
    ("connections are kept", "", "no-keepalive"),
    ("give the load with --connections", "parallel-max", "parallel"),
    ("keys of the subject are not pinned", "pinnedpubkey", ""),
    ("redirects are followed as RFC 9110 says", "", "post301 post302 post303"),
    ("only HTTP is spoken", "quote", ""),
    ("give the load with Tacho's own --rate", "rate", ""),
    ("answers are always decoded", "", "raw"),
    (
        "no request is repeated; a failed one is counted as failed",
        "retry",
        "retry-all-errors retry-connrefused",
    ),
    ("give a timeout instead", "speed-limit speed-time", ""),
    ("give the header If-Modified-Since", "time-cond", ""),
    ("answers are asked for without transfer compression", "", "tr-encoding"),
    ("variables of curl are not expanded", "variable", ""),
];

/// Take a value, and change no request.
pub(super) const HARMLESS_WITH_VALUE: &str = "create-file-mode crlfile dump-header egd-file engine etag-save expect100-timeout ftp-account \
     ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms help \
     hostpubmd5 hostpubsha256 keepalive-cnt keepalive-time krb libcurl login-options mail-auth \
     mail-from mail-rcpt max-filesize noproxy output output-dir proto proto-default proto-redir \
     proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-key \
     proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers \
     proxy-tlsauthtype proxy-tlspassword proxy-tlsuser pubkey random-file retry-delay \
     retry-max-time sasl-authzid service-name socks5-gssapi-service stderr telnet-option \
     tftp-blksize trace trace-ascii trace-config vlan-priority ip-tos write-out";

/// Take none, and change no request.
pub(super) const HARMLESS: &str = "alpn append buffer ca-native cert-status clobber compressed-ssh create-dirs disable \
     disable-eprt disable-epsv disallow-username-in-url doh-cert-status doh-insecure fail \
     fail-early fail-with-body false-start form-escape ftp-create-dirs ftp-pasv ftp-pret \
     ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-control include junk-session-cookies keepalive list-only \
     mail-rcpt-allowfails manual metalink no-buffer npn parallel-immediate progress-bar \
     progress-meter proxy-anyauth proxy-basic proxy-digest proxy-insecure proxy-negotiate \
     proxy-ntlm proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 remote-header-name \
     remote-name remote-name-all remote-time remove-on-error sasl-ir sessionid show-error \
     show-headers silent skip-existing socks5-basic socks5-gssapi socks5-gssapi-nec ssl \
     ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort \
     styled-output suppress-connect-headers tcp-fastopen tcp-nodelay test-event tftp-no-options \
     trace-ids trace-time use-ascii verbose version xattr";
