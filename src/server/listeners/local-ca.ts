/** The folder, below the data folder, of the certificates for `--tls-self-signed`. */
export const ownTlsFolder = "tls";
export const ownAuthorityFile = `${ownTlsFolder}/authority.pem`;
