// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/security/server_credentials.h"

#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "grpcpp/security/tls_certificate_provider.h"
#include "grpcpp/security/tls_credentials_options.h"

namespace warpyard::server {
namespace {

constexpr unsigned int kSecondsBetweenLooks = 2;

struct FreeOpenSsl {
  void operator()(std::FILE* file) const { std::fclose(file); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
template <class T>
using Owned = std::unique_ptr<T, FreeOpenSsl>;

absl::Status Invalid(const char* flag, const std::string& path, const char* text) {
  return absl::InvalidArgumentError(absl::StrCat(flag, ": ", path, ": ", text));
}

absl::StatusOr<Owned<std::FILE>> Open(const char* flag, const std::string& path) {
  Owned<std::FILE> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return Invalid(flag, path, "cannot be read");
  return file;
}

/// The first certificate of a file, which must be valid now.
absl::StatusOr<Owned<X509>> ReadCertificate(const char* flag, const std::string& path) {
  WY_ASSIGN_OR_RETURN(const Owned<std::FILE> file, Open(flag, path));
  Owned<X509> certificate(PEM_read_X509(file.get(), nullptr, nullptr, nullptr));
  if (certificate == nullptr) return Invalid(flag, path, "has no certificate in PEM form");
  if (X509_cmp_current_time(X509_get0_notAfter(certificate.get())) < 0) {
    return Invalid(flag, path, "the certificate has expired");
  }
  return certificate;
}

}  // namespace

absl::Status CheckTlsFiles(const TlsFiles& files) {
  if (!files.any()) return absl::OkStatus();
  if (files.certificate.empty()) {
    return absl::InvalidArgumentError("--tls-cert: missing; TLS needs --tls-cert and --tls-key");
  }
  if (files.key.empty()) {
    return absl::InvalidArgumentError("--tls-key: missing; TLS needs --tls-cert and --tls-key");
  }
  WY_ASSIGN_OR_RETURN(const Owned<X509> certificate,
                      ReadCertificate("--tls-cert", files.certificate));
  WY_ASSIGN_OR_RETURN(const Owned<std::FILE> key_file, Open("--tls-key", files.key));
  const Owned<EVP_PKEY> key(PEM_read_PrivateKey(key_file.get(), nullptr, nullptr, nullptr));
  if (key == nullptr) return Invalid("--tls-key", files.key, "has no private key in PEM form");
  if (X509_check_private_key(certificate.get(), key.get()) != 1) {
    return Invalid("--tls-key", files.key, "is not the key of the certificate of --tls-cert");
  }
  if (files.client_ca.empty()) return absl::OkStatus();
  return ReadCertificate("--tls-client-ca", files.client_ca).status();
}

absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> ServerCredentials(const TlsFiles& files) {
  using grpc::experimental::FileWatcherCertificateProvider;
  if (!files.any()) return grpc::InsecureServerCredentials();
  WY_RETURN_IF_ERROR(CheckTlsFiles(files));
  grpc::experimental::TlsServerCredentialsOptions options(
      std::make_shared<FileWatcherCertificateProvider>(files.key, files.certificate,
                                                       files.client_ca, kSecondsBetweenLooks));
  options.watch_identity_key_cert_pairs();
  if (files.client_ca.empty()) {
    options.set_cert_request_type(GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  } else {
    options.watch_root_certs();
    options.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  }
  return grpc::experimental::TlsServerCredentials(options);
}

}  // namespace warpyard::server
