# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""The error of a call for people: its text, and what its details add.

The messages are described here, in a pool of their own, so that it does not matter whether
googleapis-common-protos, which has them too, is installed.
"""

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf import message as protobuf_message

DETAILS_KEY = "grpc-status-details-bin"
TYPE_PREFIX = "type.googleapis.com/google.rpc."

# The fields that are read: name, number, type; "*" before a type: repeated. docs/errors.md has the
# meanings, and proto/google/rpc the whole messages.
MESSAGES = {
    "Any": [("type_url", 1, "string"), ("value", 2, "bytes")],
    "Duration": [("seconds", 1, "int64"), ("nanos", 2, "int32")],
    "Status": [("code", 1, "int32"), ("message", 2, "string"), ("details", 3, "*Any")],
    "ErrorInfo": [("reason", 1, "string"), ("domain", 2, "string")],
    "FieldViolation": [("field", 1, "string"), ("description", 2, "string")],
    "BadRequest": [("field_violations", 1, "*FieldViolation")],
    "RetryInfo": [("retry_delay", 1, "Duration")],
    "RequestInfo": [("request_id", 1, "string")],
}
PACKAGE = "warpyard.errors"


def describe_messages():
    """A file descriptor of the messages."""
    file = descriptor_pb2.FileDescriptorProto(name="warpyard/errors.proto", package=PACKAGE,
                                              syntax="proto3")
    kinds = descriptor_pb2.FieldDescriptorProto
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, number, kind in fields:
            label = kinds.LABEL_REPEATED if kind.startswith("*") else kinds.LABEL_OPTIONAL
            entry = message.field.add(name=field, number=number, label=label)
            kind = kind.lstrip("*")
            if kind in MESSAGES:
                entry.type = kinds.TYPE_MESSAGE
                entry.type_name = f".{PACKAGE}.{kind}"
            else:
                entry.type = kinds.Type.Value("TYPE_" + kind.upper())
    return file


def make_classes():
    pool = descriptor_pool.DescriptorPool()
    pool.Add(describe_messages())
    factory = message_factory.MessageFactory(pool)
    return {name: factory.GetPrototype(pool.FindMessageTypeByName(f"{PACKAGE}.{name}"))
            for name in MESSAGES}


CLASSES = make_classes()


def details_of(error):
    """The details of a grpc.RpcError by their names, such as "ErrorInfo"; empty if it has none."""
    found = {}
    for key, value in error.trailing_metadata() or ():
        if key != DETAILS_KEY:
            continue
        try:
            for detail in CLASSES["Status"].FromString(value).details:
                name = detail.type_url.removeprefix(TYPE_PREFIX)
                if name in CLASSES:
                    found[name] = CLASSES[name].FromString(detail.value)
        except protobuf_message.DecodeError:
            continue
    return found


def explain(error):
    """The text of a grpc.RpcError, with its reason, field, retry delay and request id."""
    details = details_of(error)
    facts = []
    if "ErrorInfo" in details:
        facts.append(details["ErrorInfo"].reason)
    if "BadRequest" in details:
        facts += [f"field {wrong.field}" for wrong in details["BadRequest"].field_violations]
    if "RetryInfo" in details:
        delay = details["RetryInfo"].retry_delay
        facts.append(f"try again in {delay.seconds + delay.nanos / 1e9:g} s")
    if "RequestInfo" in details:
        facts.append(f"request {details['RequestInfo'].request_id}")
    return f"{error.details()} ({', '.join(facts)})" if facts else error.details()
