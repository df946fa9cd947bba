/** The files below the data folder with the certificate that clients of `--tls-self-signed` must trust. */
export const ownTlsFolder = "tls";
export const ownAuthorityFile = `${ownTlsFolder}/authority.pem`;
