package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// A cluster is made anew each time it is brought up, and so are its keys. None of them leaves the
// state folder but the one in the kubeconfig.
const validity = 365 * 24 * time.Hour

type authority struct {
	folder      string
	certificate *x509.Certificate
	key         crypto.Signer
	serial      int64
}

// certificates DIR NODE NODE-ADDRESS SERVICE-ADDRESS LOAD... writes into DIR all keys, certificates
// and kubeconfigs of a cluster with one node. LOAD is the command that imports an image into it; a
// file name is appended to it.
func certificates() {
	if len(os.Args) < 6 {
		fail(2, "usage: certificates DIR NODE NODE-ADDRESS SERVICE-ADDRESS LOAD...")
	}
	folder, node := os.Args[1], os.Args[2]
	nodeAddress, serviceAddress := address(os.Args[3]), address(os.Args[4])
	server := "https://" + net.JoinHostPort(nodeAddress.String(), "6443")

	signer := newAuthority(folder)
	signer.issue("apiserver", pkix.Name{CommonName: "kube-apiserver"},
		[]net.IP{nodeAddress, serviceAddress},
		[]string{node, "kubernetes", "kubernetes.default", "kubernetes.default.svc",
			"kubernetes.default.svc.cluster.local"})
	signer.issue("kubelet", pkix.Name{CommonName: "system:node:" + node, Organization: []string{"system:nodes"}},
		[]net.IP{nodeAddress}, []string{node})
	signer.issue("apiserver-to-kubelet",
		pkix.Name{CommonName: "kube-apiserver-kubelet-client", Organization: []string{"system:masters"}}, nil, nil)

	type object = map[string]any
	// What people use says how images get to the node, for programs that bring some
	// (docs/kubernetes.md). Kubeconfig files keep extensions for such programs; kubectl ignores
	// them.
	admins := []object{{"name": "tacho", "extension": object{"load-image": os.Args[5:]}}}
	signer.kubeconfig("admin",
		pkix.Name{CommonName: "cluster-box-admin", Organization: []string{"system:masters"}}, server, admins)
	for file, who := range map[string]pkix.Name{
		"controller-manager": {CommonName: "system:kube-controller-manager"},
		"kubelet":            {CommonName: "system:node:" + node, Organization: []string{"system:nodes"}},
		"proxy":              {CommonName: "system:kube-proxy"},
		"scheduler":          {CommonName: "system:kube-scheduler"},
	} {
		signer.kubeconfig(file, who, server, []object{})
	}
	signer.serviceAccounts()
}

func address(text string) net.IP {
	parsed := net.ParseIP(text)
	if parsed == nil {
		fail(2, "%q is no address", text)
	}
	return parsed
}

func newAuthority(folder string) *authority {
	must(os.MkdirAll(folder, 0o700))
	key := newKey()
	template := dated(&x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "cluster-box"},
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		BasicConstraintsValid: true,
		IsCA:                  true,
	})
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(err)
	certificate, err := x509.ParseCertificate(der)
	must(err)
	signer := &authority{folder: folder, certificate: certificate, key: key, serial: 1}
	signer.write("ca.crt", certificatePEM(der))
	signer.write("ca.key", privatePEM(key))
	return signer
}

// issue writes NAME.crt and NAME.key and returns both.
func (a *authority) issue(name string, who pkix.Name, addresses []net.IP, hosts []string) ([]byte, []byte) {
	certificate, key := a.sign(who, addresses, hosts)
	a.write(name+".crt", certificate)
	a.write(name+".key", key)
	return certificate, key
}

func (a *authority) sign(who pkix.Name, addresses []net.IP, hosts []string) ([]byte, []byte) {
	a.serial++
	key := newKey()
	der, err := x509.CreateCertificate(rand.Reader, dated(&x509.Certificate{
		SerialNumber: big.NewInt(a.serial),
		Subject:      who,
		IPAddresses:  addresses,
		DNSNames:     hosts,
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}), a.certificate, key.Public(), a.key)
	must(err)
	return certificatePEM(der), privatePEM(key)
}

// kubeconfig writes NAME.kubeconfig in JSON, which every reader of YAML reads.
func (a *authority) kubeconfig(name string, who pkix.Name, server string, extensions []map[string]any) {
	type object = map[string]any
	certificate, key := a.sign(who, nil, nil)
	text, err := json.MarshalIndent(object{
		"apiVersion": "v1",
		"kind":       "Config",
		"clusters": []object{{"name": "cluster-box", "cluster": object{
			"server":                     server,
			"certificate-authority-data": certificatePEM(a.certificate.Raw),
		}}},
		"users": []object{{"name": who.CommonName, "user": object{
			"client-certificate-data": certificate,
			"client-key-data":         key,
		}}},
		"contexts": []object{{"name": "cluster-box", "context": object{
			"cluster":    "cluster-box",
			"user":       who.CommonName,
			"extensions": extensions,
		}}},
		"current-context": "cluster-box",
	}, "", "  ")
	must(err)
	a.write(name+".kubeconfig", append(text, '\n'))
}

// serviceAccounts writes the pair of keys by which tokens of pods are signed and known.
func (a *authority) serviceAccounts() {
	key := newKey()
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	must(err)
	a.write("service-accounts.key", privatePEM(key))
	a.write("service-accounts.pub", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))
}

// dated begins an hour ago, for a machine whose clock is set back a little after the start.
func dated(template *x509.Certificate) *x509.Certificate {
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().Add(validity)
	return template
}

func newKey() crypto.Signer {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	return key
}

func certificatePEM(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func privatePEM(key crypto.Signer) []byte {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	must(err)
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

func (a *authority) write(name string, text []byte) {
	must(os.WriteFile(filepath.Join(a.folder, name), text, 0o600))
}

func must(err error) {
	if err != nil {
		fail(1, "%v", err)
	}
}
