/** Below the data folder: the certificate that `--tls-self-signed` wants to be trusted. */
export const ownTlsFolder = "tls";
export const ownAuthorityFile = `${ownTlsFolder}/authority.pem`;
