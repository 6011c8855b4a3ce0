// Names of the fields of core/v1 PodSpec and Container (Kubernetes 1.36), for profiles that set any
// of them.

#include <algorithm>
#include <array>

#include "core/profile/native.h"
#include "core/text/suggest.h"

namespace gpuspec::profile {
namespace {

constexpr std::array<std::string_view, 43> pod_fields = {
    "activeDeadlineSeconds",
    "affinity",
    "automountServiceAccountToken",
    "containers",
    "dnsConfig",
    "dnsPolicy",
    "enableServiceLinks",
    "ephemeralContainers",
    "hostAliases",
    "hostIPC",
    "hostNetwork",
    "hostPID",
    "hostUsers",
    "hostname",
    "hostnameOverride",
    "imagePullSecrets",
    "initContainers",
    "nodeName",
    "nodeSelector",
    "os",
    "overhead",
    "preemptionPolicy",
    "priority",
    "priorityClassName",
    "readinessGates",
    "resourceClaims",
    "resources",
    "restartPolicy",
    "runtimeClassName",
    "schedulerName",
    "schedulingGates",
    "securityContext",
    "serviceAccount",
    "serviceAccountName",
    "setHostnameAsFQDN",
    "shareProcessNamespace",
    "subdomain",
    "terminationGracePeriodSeconds",
    "tolerations",
    "topologySpreadConstraints",
    "volumes",
    "workloadRef",
    "schedulingGroup",
};

constexpr std::array<std::string_view, 25> container_fields = {
    "args",
    "command",
    "env",
    "envFrom",
    "image",
    "imagePullPolicy",
    "lifecycle",
    "livenessProbe",
    "name",
    "ports",
    "readinessProbe",
    "resizePolicy",
    "resources",
    "restartPolicy",
    "restartPolicyRules",
    "securityContext",
    "startupProbe",
    "stdin",
    "stdinOnce",
    "terminationMessagePath",
    "terminationMessagePolicy",
    "tty",
    "volumeDevices",
    "volumeMounts",
    "workingDir",
};

}  // namespace

bool is_pod_field(std::string_view name) {
  return std::find(pod_fields.begin(), pod_fields.end(), name) != pod_fields.end();
}

bool is_container_field(std::string_view name) {
  return std::find(container_fields.begin(), container_fields.end(), name) !=
         container_fields.end();
}

std::string suggest_pod_field(std::string_view name) {
  return std::string(text::closest(name, pod_fields));
}

std::string suggest_container_field(std::string_view name) {
  return std::string(text::closest(name, container_fields));
}

}  // namespace gpuspec::profile
