/** A self-signed certificate for `localhost`, valid until 2120. Nothing trusts it, so that its key can be public. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBQjCB6KADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE+hwHmkbP3sfYEBY1
ibYkYB6WXS2u64gP1sNUddCWmlj20jcx/t2qKdfH/5aKGnCOq68g2zi9pT/f0f+E
pXv7QKMpMCcwFAYDVR0RBA0wC4IJbG9jYWxob3N0MA8GA1UdEwEB/wQFMAMBAf8w
CgYIKoZIzj0EAwIDSQAwRgIhAN2Nn3Ft87vyQWxtI5RwEOaV6lbQn4GBhBQZNyB2
DdegAiEApPdvcIkYQzZM69GBanTrfaMQoPvPEs48JjcYy9xh6cw=
-----END CERTIFICATE-----
`;

export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmd513IzTnAre6HZu
Sc7/Vi/IfcJh4X+NXDH2z0nyaeShRANCAAT6HAeaRs/ex9gQFjWJtiRgHpZdLa7r
iA/Ww1R10JaaWPbSNzH+3aop18f/looacI6rryDbOL2lP9/R/4Sle/tA
-----END PRIVATE KEY-----
`;
